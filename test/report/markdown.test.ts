import { assert, constantFrom, integer, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { code, prose } from "../../src/report/markdown-escape.ts";
import { renderMarkdown } from "../../src/report/index.ts";
import { emptyResult, largeResult, resultOf, richResult } from "./fixtures.ts";
import { hostileNames } from "./hostile.ts";
import { richChanges } from "./rich.ts";

const size = (text: string): number => Buffer.byteLength(text);

/** What is left when code spans and fenced blocks are taken out, as a host does before it looks for markup. */
function outsideCode(markdown: string): string {
  return markdown
    .replaceAll(/^( *)(`{3,})[a-z]*\n[\s\S]*?\n\1\2$/gmu, "")
    .replaceAll(/<code>[^<]*<\/code>/gu, "")
    .replaceAll(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/gu, "");
}

describe("Markdown", () => {
  test("says counts, changes, what needs a person, deletes, the cost and what is next", () => {
    const changes = richChanges()
      .filter((change) => ["update", "delete", "conflict"].includes(change.action))
      .slice(1);
    expect(renderMarkdown(resultOf(changes, { next: ["ferry apply orders"] }))).toMatchInlineSnapshot(`
      "## ferry diff orders: dev -&#62; prod

      **1 update, 2 delete; 1 needs a person.**

      | update | delete | conflict |
      | --: | --: | --: |
      | 1 | 2 | 1 |

      ### Update (1)

      - monitors \`Orders, daily\` (not started): changed at dev since the last apply

        <details><summary>2 fields of <code>Orders, daily</code></summary>

        \`\`\`diff
        @@ /schedule/enabled @@
        - true
        + false
        @@ /ruleInstances/Email is well formed/threshold @@
        - 0.95
        + 0.99
        \`\`\`

        </details>


      ### Needs a person (1)

      - **conflict** terms \`Order\`: changed on both sides since the last apply
        \`urn:gov:acme-prod:catalog:term:00000000-0000-4000-8000-000000000069\`
        - next: decide which side holds; policy conflict: source-wins takes the source

        <details><summary>1 field of <code>Order</code></summary>

        \`\`\`diff
        @@ /description @@
        - "An order, as sales sees it."
        + "An order, as logistics sees it."
        \`\`\`

        </details>


      ### Deletes withheld (2)

      > [!CAUTION]
      > **Deletes withheld at prod: 2**

      - **withheld** monitors \`Fax numbers, weekly\`: gone from dev; this tool created it in run 20260901-1200-aa01
        \`urn:gov:acme-prod:data-quality:dq-monitor:00000000-0000-4000-8000-00000000006d\`
      - **withheld** rules \`Fax number is well formed\`: gone from dev; this tool created it in run 20260901-1200-aa01
        \`urn:gov:acme-prod:data-quality:rule:00000000-0000-4000-8000-00000000006c\`

      12 reads at the source, 30 reads and 0 writes at the target, in 1.2 s.

      Next:

      - \`ferry apply orders\`
      "
    `);
  });

  test("says once what an object waits for, also where somebody has acknowledged it", () => {
    const manual = richChanges().find((change) => change.action === "manual");
    if (manual === undefined) throw new Error("nothing is manual");
    const found = {
      severity: "error",
      code: "condition-builder",
      summary: manual.reason,
      pointer: "/expression",
      suggestion: "write it anew",
    } as const;
    const change = { ...manual, diagnostics: [found] };
    const waiting = renderMarkdown(resultOf([change]));
    expect(waiting.split(found.summary)).toHaveLength(2);
    expect(waiting).toContain("  - at `/expression`\n  - next: write it anew\n");
    const known = renderMarkdown(resultOf([{ ...change, acknowledged: { reason: "ticket 12" } }]));
    expect(known).toContain(`ticket 12; manual: ${found.summary}\n`);
    expect(known.split(found.summary)).toHaveLength(2);
    // What the reason does not hold is said, and so are details.
    const detailed = renderMarkdown(
      resultOf([{ ...change, diagnostics: [{ ...found, detail: "of 2024" }] }]),
    );
    expect(detailed).toContain(`  - error: ${found.summary} at \`/expression\`: of 2024\n`);
  });

  test("is short when there is nothing to do", () => {
    expect(renderMarkdown(emptyResult())).toMatchInlineSnapshot(`
        "## ferry diff orders: dev -&#62; prod

        **Nothing to do: prod already has everything.**

        | unchanged |
        | --: |
        | 240 |

        12 reads at the source, 30 reads and 0 writes at the target, in 1.2 s.
        "
      `);
  });

  test("a name can make no markup, HTML, mention, link or reference", () => {
    const left = outsideCode(renderMarkdown(richResult())).replace("[!CAUTION]", "");
    expect(left).not.toMatch(/<(?!\/?details>|\/?summary>)/u);
    expect(left).not.toMatch(/[@#!$%~&^][\p{L}_"](?!\w*;)/u);
    expect(left).not.toMatch(/\]\(|:\/\/|www\.|__|^\|.*table/mu);
    expect(
      left.match(/^#+ .*/gmu)?.filter((line) => !/^##+ (ferry|[A-Z][a-z ]+ \(\d+\)$)/u.test(line)),
    ).toEqual([]);
  });

  test("a detail that opens closes again", () => {
    const markdown = outsideCode(renderMarkdown(richResult()));
    expect(markdown.match(/<details>/gu)?.length).toBe(markdown.match(/<\/details>/gu)?.length);
    expect(markdown.match(/<details>/gu)?.length).toBeGreaterThan(20);
  });

  test.each(hostileNames.filter((name) => name.trim() !== ""))("a code span holds %j as it is", (name) => {
    const line = name.replaceAll(/[\r\n]/gu, " ");
    const [, fence = "", content = ""] = /^(`+)([\s\S]*)\1$/u.exec(code(line)) ?? [];
    const runs = content.match(/`+/gu) ?? [];
    expect(runs).not.toContain(fence);
    const shown = /^ [\s\S]*\S[\s\S]* $/u.test(content) ? content.slice(1, -1) : content;
    expect(shown).toBe(line);
  });

  test("running text keeps its words", () => {
    expect(prose('connection "dev-wh" has no twin at prod')).toBe('connection "dev-wh" has no twin at prod');
    expect(prose("@team")).not.toContain("@");
    expect(prose("a_b *c* <d>")).toBe("a&#95;b &#42;c&#42; &#60;d&#62;");
  });

  test("fits a pull-request comment, and says what was cut and where it is", () => {
    const markdown = renderMarkdown(largeResult());
    expect(size(markdown)).toBeLessThanOrEqual(60_000);
    expect(size(markdown)).toBeGreaterThan(50_000);
    expect(markdown).toMatch(/\*\*Cut to fit:\*\* .*"create"/u);
    expect(markdown).toContain("`ferry diff orders --format html`");
    expect(markdown).toContain("### Create (4000)");
  });

  test("cuts plain changes first: what needs a person and deletes stay", () => {
    const result = resultOf([...largeResult(2000).changes, ...richChanges()]);
    const markdown = renderMarkdown(result, { maxBytes: 12_000 });
    expect(size(markdown)).toBeLessThanOrEqual(12_000);
    for (const name of ["Invoices, hourly", "Refunds", "Finance", "Stock levels", "Fax numbers, weekly"]) {
      expect(markdown).toContain(`\`${name}\``);
    }
    expect(markdown).toContain('+ "An order, as logistics sees it."');
    expect(markdown).toContain("Cut to fit");
  });

  test("keeps within any limit", () => {
    const results = [richResult(), emptyResult(), largeResult(300)];
    assert(
      property(integer({ min: 20, max: 80_000 }), constantFrom(...results), (maxBytes, result) => {
        expect(size(renderMarkdown(result, { maxBytes }))).toBeLessThanOrEqual(maxBytes);
      }),
      { numRuns: 40 },
    );
  });
});
