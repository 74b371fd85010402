import { answered } from "./support/answered.ts";
import * as a from "./support/answers.ts";

/** The first term has this name, as it stands in JSON. */
const named = (name: string): ReturnType<typeof a.text> =>
  a.text((body) => body.replace('"name":"Customer"', `"name":${JSON.stringify(name)}`));

// oxfmt-ignore
answered("a name", [
  ["that colours a terminal", "dev terms", named("\u001b[31mred"), "diff move --kinds terms", 0, "+ terms \\u{1b}[31mred"],
  ["that names a terminal", "dev terms", named("a\u001b]0;owned\u0007"), "diff move --kinds terms", 0, "+ terms a\\u{1b}]0;owned\\u{7}"],
  ["that begins an escape with one mark", "dev terms", named("a\u009b31m"), "diff move --kinds terms", 0, "+ terms a\\u{9b}31m"],
  ["that turns a line round", "dev terms", named("a\u202edcba"), "diff move --kinds terms", 0, "+ terms a\\u{202e}dcba"],
  ["that sets a part of a line apart", "dev terms", named("a\u2066b\u2069"), "diff move --kinds terms", 0, "+ terms a\\u{2066}b\\u{2069}"],
  ["of no width", "dev terms", named("\u200b\u200d\ufeff"), "diff move --kinds terms", 0, "+ terms \\u{200b}\\u{200d}\\u{feff}"],
  ["with a NUL", "dev terms", named("a\0b"), "diff move --kinds terms", 0, "+ terms a\\u{0}b"],
  ["with many lines", "dev terms", named("a\r\nb\n\nc"), "diff move --kinds terms", 0, "+ terms a\\u{d}\\u{a}b\\u{a}\\u{a}c"],
  ["with a backspace", "dev terms", named("secret\b\b\b\b\b\bpublic"), "diff move --kinds terms", 0, "+ terms secret\\u{8}\\u{8}\\u{8}\\u{8}\\u{8}\\u{8}public"],
  ["with half a character", "dev terms", a.text((body) => body.replace('"name":"Customer"', '"name":"a\\ud800b"')), "diff move --kinds terms", 0, "+ terms a\\u{d800}b"],
  ["of 10,000 characters", "dev terms", named("n".repeat(10_000)), "diff move --kinds terms", 0, "+ terms nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"],
  ["of a hundred accents", "dev terms", named(`a${"\u0301".repeat(100)}`), "diff move --kinds terms", 0, "+ terms a\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301"],
  ["of blanks", "dev terms", named("   "), "diff move --kinds terms", 0, "+ terms (no name)"],
  ["that is a path", "dev terms", named("../../../../etc/passwd"), "diff move --kinds terms", 0, "+ terms ../../../../etc/passwd"],
  ["that is a flag", "dev terms", named("--allow-delete"), "diff move --kinds terms", 0, "+ terms --allow-delete"],
  ["that is HTML, in HTML", "dev terms", named("</script><img src=x onerror=alert(1)>"), "diff move --kinds terms --format html", 0, /\\u003c\/script|&lt;\/script/],
  ["that is Markdown, in Markdown", "dev terms", named("| `x` [a](javascript:b) <img src=x>"), "diff move --kinds terms --format markdown", 0, "- terms ``| `x` [a](javascript:b) <img src=x>``: nothing at the target stands for it"],
  ["that is an annotation", "dev terms", named("::error title=x::y"), "diff move --kinds terms", 0, "+ terms ::error title=x::y"],
]);
