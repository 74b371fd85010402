import type { AppliedChange } from "../../src/model/change.ts";
import type { MutableJson } from "../../src/model/json.ts";
import { setOwn } from "../../src/model/json.ts";

/** What a name can hold when nobody means well, or when somebody just likes punctuation. */
export const hostileNames: readonly string[] = [
  "<img src=x onerror=alert(1)>",
  "</script><script>alert(2)</script>",
  "__proto__",
  "\u001b[31mred\u001b[0m \u009b31m\u0007",
  "invoice\u202Etxt.exe",
  "@team please look, #1 !2 $3 %4 ~5 &6",
  "| table | cell |",
  "```\n# heading\n```",
  "`` `code` ``",
  "../../etc/passwd",
  "[click](javascript:alert(3)) ![x](https://evil.example/x.png)",
  "https://evil.example www.evil.example",
  "::error title=x::y%0A\n::stop-commands::z",
  "<!-- --><details open><summary>",
  "\u2028line\u2029paragraph\ufeff\u200b",
  "line one\nline two\r\nline three",
  "-->]]><![CDATA[",
  "${alert(4)} {{alert(5)}} <%= alert(6) %>",
  '" onmouseover="alert(7)',
  "مرحبا بالعالم",
  "   ",
  "",
  "constructor",
  "\ud800 lone surrogate",
];

export function hostileChanges(): readonly AppliedChange[] {
  return hostileNames.map((name, index) => {
    const urn = `urn:gov:acme-dev:catalog:term:0bad0bad-0000-4000-8000-${String(index).padStart(12, "0")}`;
    const before: MutableJson = { [name]: name };
    setOwn(before, "__proto__", name);
    return {
      id: `terms:${urn}`,
      action: index % 2 === 0 ? "update" : "adopt",
      outcome: "done",
      kind: "terms",
      source: { urn, name },
      target: { urn: urn.replace("acme-dev", "acme-prod"), name },
      reason: `holds "${name}"`,
      fields: [
        { path: `/${name}`, from: name, to: `${name}!` },
        { path: "/nested", from: before, to: [name], fromName: name, toName: name },
      ],
      diagnostics: [
        {
          severity: "info",
          code: "loose-id",
          pointer: `/${name}`,
          summary: name,
          detail: name,
          suggestion: name,
        },
      ],
      dependsOn: index === 0 ? [] : [`terms:${urn.slice(0, -12)}${String(index - 1).padStart(12, "0")}`],
      pulledInBy: { kind: "terms", urn, name },
      work: { sourceFingerprint: "internal-only" },
    };
  });
}
