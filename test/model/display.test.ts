import { describe, expect, it } from "vitest";
import { formatCoordinate } from "../../src/model/coordinate.ts";
import { formatDiagnostic } from "../../src/model/diagnostic.ts";
import { display, displayJson, shorten } from "../../src/model/display.ts";

describe("display", () => {
  it("leaves what people write as it is", () => {
    for (const text of [
      "Email",
      "Émigré – naïve",
      "電子メール",
      "👩‍👩".replaceAll("\u200D", ""),
      'a/b~c "d" <e>',
    ]) {
      expect(display(text)).toBe(text);
    }
  });

  it("leaves emoji of several characters legible", () => {
    for (const text of ["I \u2764\uFE0F it", "1\uFE0F\u20E3", "\u{1F1E9}\u{1F1EA}", "\u{1F44D}\u{1F3FD}"]) {
      expect(display(text)).toBe(text);
      expect(displayJson(JSON.stringify(text))).toBe(JSON.stringify(text));
    }
  });

  it.each([
    ["a colour of a terminal", "\u001B[31mred\u001B[0m", "\\u{1b}[31mred\\u{1b}[0m"],
    ["a title of a terminal", "\u001B]0;owned\u0007", "\\u{1b}]0;owned\\u{7}"],
    ["a C1 control", "a\u009B31m", "a\\u{9b}31m"],
    ["line ends and tabs", "a\r\n\tb", "a\\u{d}\\u{a}\\u{9}b"],
    ["a null", "a\u0000b", "a\\u{0}b"],
    ["a delete", "a\u007F", "a\\u{7f}"],
    ["a bidirectional override", "\u202Etxt.exe", "\\u{202e}txt.exe"],
    ["bidirectional isolates", "\u2066a\u2069", "\\u{2066}a\\u{2069}"],
    ["an Arabic letter mark", "a\u061Cb", "a\\u{61c}b"],
    ["a zero-width space", "a\u200Bb", "a\\u{200b}b"],
    ["a byte-order mark", "\uFEFFa", "\\u{feff}a"],
    ["a soft hyphen", "pass\u00ADword", "pass\\u{ad}word"],
    ["a Mongolian vowel separator", "a\u180Eb", "a\\u{180e}b"],
    ["a combining grapheme joiner", "a\u034Fb", "a\\u{34f}b"],
    ["Hangul fillers", "\u115F\u1160\u3164\uFFA0", "\\u{115f}\\u{1160}\\u{3164}\\u{ffa0}"],
    ["a blank of braille", "a\u2800b", "a\\u{2800}b"],
    ["tags", "a\u{E0001}\u{E0041}\u{E007F}", "a\\u{e0001}\\u{e0041}\\u{e007f}"],
    ["variation selectors", "a\uFE00b\uFE0Fc\u{E0100}", "a\\u{fe00}b\\u{fe0f}c\\u{e0100}"],
    ["a selector behind an emoji that needs none", "\u{1F44D}\uFE0F", "\u{1F44D}\\u{fe0f}"],
    ["a joiner of emoji", "\u{1F469}\u200D\u{1F4BB}", "\u{1F469}\\u{200d}\u{1F4BB}"],
    ["line and paragraph separators", "a\u2028b\u2029c", "a\\u{2028}b\\u{2029}c"],
  ])("shows %s as an escape", (_what, text, shown) => {
    expect(display(text)).toBe(shown);
    expect(display(shown)).toBe(shown);
  });

  it("leaves a JSON document the same document, line ends included", () => {
    const value = { name: "a\u202Eb\u009Bc\u061Cd\uFEFF", text: "line\n\u001B[31m" };
    const shown = displayJson(JSON.stringify(value, null, 2));
    expect(JSON.parse(shown)).toEqual(value);
    expect(shown.split("\n")).toHaveLength(4);
    expect(shown).toContain("a\\u202eb\\u009bc\\u061cd\\ufeff");
    expect(display(shown.replaceAll("\n", ""))).toBe(shown.replaceAll("\n", ""));
  });

  it("escapes what is beyond sixteen bits in JSON as JSON does, and breaks a command of a runner", () => {
    const value = ["a\u{E0041}\u00AD\u3164\u2800", "##[group]", "###[x]\\##[y]"];
    const shown = displayJson(JSON.stringify(value));
    expect(JSON.parse(shown)).toEqual(value);
    expect(shown).toContain("a\\udb40\\udc41\\u00ad\\u3164\\u2800");
    expect(shown).not.toContain("##[");
    expect(displayJson(shown)).toBe(shown);
  });

  it("cuts a long text with an ellipsis, and never a character in two", () => {
    expect(shorten("Email", 5)).toBe("Email");
    expect(shorten("Emails", 5)).toBe("Emai…");
    expect(shorten("😀😀😀", 3)).toBe("😀😀😀");
    expect(shorten("😀😀😀", 2)).toBe("😀…");
    expect(shorten("abc", 1)).toBe("…");
    expect(shorten("abc", 0)).toBe("…");
  });
});

describe("a coordinate and a diagnostic", () => {
  const coordinate = { kind: "rules", urn: "urn:x\u001B", name: "Email\u202E" };

  it("name an object, hostile names included", () => {
    expect(formatCoordinate(coordinate)).toBe('rules "Email\\u{202e}" (urn:x\\u{1b})');
  });

  it("say what happened, to what and where in it", () => {
    expect(formatDiagnostic({ severity: "error", code: "blocked", summary: "no twin" })).toBe(
      "error: no twin",
    );
    expect(
      formatDiagnostic({
        severity: "warning",
        code: "loose-id",
        coordinate,
        pointer: "/description",
        summary: "it stays",
      }),
    ).toBe('warning: rules "Email\\u{202e}" (urn:x\\u{1b}): it stays at /description');
  });
});
