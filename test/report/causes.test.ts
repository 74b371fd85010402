import { describe, expect, test } from "vitest";
import type { AppliedChange } from "../../src/model/change.ts";
import { byCause, byKind, sizeOf } from "../../src/report/causes.ts";
import { renderHtml, renderJson, renderMarkdown, renderText } from "../../src/report/index.ts";
import { itemOf } from "../../src/report/item.ts";
import { columns } from "../../src/report/columns.ts";
import { blocked, blockedBySource, sourceCause } from "./blocked.ts";
import { ordinaryResult, resultOf } from "./fixtures.ts";

const items = (changes: readonly AppliedChange[]) => changes.map((change) => itemOf(change, "orders"));
const path = { key: "path", summary: "items have another path", suggestion: "Add a rename." };

describe("what needs a person", () => {
  test("stands under its cause, the largest first; what is alone stays alone", () => {
    const { causes, single } = byCause(
      items([
        ...Array.from({ length: 3 }, (_, index) => blocked("rules", 100 + index, `R${index}`, [path])),
        ...blockedBySource(6),
        blocked("terms", 1, "Alone", [{ key: "own", summary: "only this one" }]),
      ]),
    );
    expect(causes.map((group) => [group.summary, sizeOf(group)])).toEqual([
      ['source "Snowflake DEV" has no twin at the target', "6 objects blocked"],
      ["items have another path", "3 rules blocked"],
    ]);
    expect(causes[0] && [...byKind(causes[0]).keys()]).toEqual(["monitors", "rules"]);
    expect(single.map(({ name }) => name)).toEqual(["Alone"]);
  });

  test("with several causes stands under the one that most others share, and only there", () => {
    const both = blocked("dashboards", 50, "Both", [path, sourceCause]);
    const { causes, single } = byCause(items([both, ...blockedBySource(4)]));
    expect(causes).toHaveLength(1);
    expect(causes[0]?.items.map(({ name }) => name)).toContain("Both");
    expect(single).toEqual([]);
  });

  test("for the same reason, without a known cause, stands together; drift and conflicts never do", () => {
    const built = (index: number): AppliedChange => ({
      ...blocked("rules", index, `Built ${index}`, []),
      action: "manual",
      reason: "its logic was made in the condition builder",
    });
    const moved = (index: number): AppliedChange => ({
      ...blocked("terms", index, `Moved ${index}`, []),
      action: "drift",
      reason: "it was changed at the target",
    });
    const { causes, single } = byCause(items([1, 2, 3].flatMap((index) => [built(index), moved(index)])));
    expect(causes.map(sizeOf)).toEqual(["3 rules manual"]);
    expect(single).toHaveLength(3);
  });

  test("is advised what helps each, and of what helps one alone it is said which", () => {
    const removed = (index: number, advice: (own: string, urn: string) => string): AppliedChange => {
      const found = blocked("terms", index, `Gone ${index}`, []);
      const urn = found.source?.urn ?? "";
      const summary = "its twin was removed at the target";
      const suggestion = advice(`terms "Gone ${index}"`, urn);
      const diagnostics = [{ severity: "error", code: "missing-at-target", summary, suggestion } as const];
      return { ...found, action: "manual", reason: summary, diagnostics };
    };
    const stepsOf = (advice: (own: string, urn: string) => string): readonly string[] | undefined =>
      byCause(items([1, 2, 3].map((index) => removed(index, advice)))).causes[0]?.steps;
    expect(
      stepsOf((own, urn) => `To have ${own} made again, run \`ferry mappings orders remove ${urn}\`.`),
    ).toEqual(["To have each of them made again, run `ferry mappings orders remove <source urn>`."]);
    expect(stepsOf((own) => (own === 'terms "Gone 1"' ? "Look there." : "Look elsewhere."))).toEqual([
      'For terms "Gone 1", for example: Look there.',
    ]);
  });

  test("what was not done stands under what came of it, and who waited for it under one line", () => {
    const failed = (index: number): AppliedChange => ({
      ...blocked("terms", index, `Failed ${index}`, []),
      action: "create",
      outcome: "failed",
      reason: "nothing at the target stands for it",
      diagnostics: [
        {
          severity: "error",
          code: "failed",
          coordinate: { kind: "terms", urn: `urn:${index}`, name: `Failed ${index}` },
          summary: "refused (400): no",
        },
      ],
    });
    const waiting = (index: number): AppliedChange => ({
      ...failed(index),
      outcome: "blocked",
      diagnostics: [{ severity: "error", code: "blocked", summary: `it waits for terms "${index}"` }],
    });
    const { causes, single } = byCause(items([1, 2, 3].flatMap((at) => [failed(at), waiting(10 + at)])));
    expect(causes.map((group) => [group.summary, sizeOf(group)])).toEqual([
      ["refused (400): no", "3 terms failed"],
      ["it waits for what failed, or was blocked itself", "3 terms blocked"],
    ]);
    expect(single).toEqual([]);
  });

  test("in several states under one cause says how many of each", () => {
    const manual: AppliedChange = { ...blocked("rules", 9, "M", [sourceCause]), action: "manual" };
    const [group] = byCause(items([manual, ...blockedBySource(3)])).causes;
    expect(group && sizeOf(group)).toBe("4 objects (1 manual, 3 blocked)");
    expect(group?.state).toBe("blocked");
  });
});

describe("hundreds that one thing blocks", () => {
  const result = resultOf(blockedBySource(214));

  test("are a few lines of text: the cause, what mends it in one piece, some names", () => {
    const text = renderText(result, { width: 80 });
    expect(text).toContain(
      [
        "Needs a person (214)",
        '  ! source "Snowflake DEV" has no twin at the target: 214 objects blocked',
        '      sources "Snowflake DEV": the nearest there is "Snowflake PROD"',
        "      next: In the plan, under pairing.sources, add",
        '            `"Snowflake DEV": "Snowflake PROD"` (a guess: check it)',
        "      monitors (143): Monitor 0, Monitor 1, ",
      ].join("\n"),
    );
    expect(text).toMatch(/rules \(71\): Rule 2, .*and \d+ more/s);
    expect(text.split("\n").length).toBeLessThan(20);
    expect(text).not.toContain("urn:gov");
  });

  test("are all there by URN with -v, and each in JSON as it is", () => {
    const verbose = renderText(result, { width: 80, verbose: 1 });
    for (const { source } of result.changes) expect(verbose).toContain(source?.urn);
    const { changes } = JSON.parse(renderJson(result)) as { changes: readonly object[] };
    expect(changes).toHaveLength(214);
    expect(changes[0]).toMatchObject({ action: "blocked", diagnostics: [{ pointer: "/field0" }] });
    expect(JSON.stringify(changes)).not.toContain('"cause"');
  });

  test("are one entry of Markdown that fits, with what mends it as code", () => {
    const markdown = renderMarkdown(result);
    expect(markdown).toContain("### Needs a person (214)");
    expect(markdown).toContain(
      'next: In the plan, under pairing.sources, add `"Snowflake DEV": "Snowflake PROD"`',
    );
    expect(markdown).toMatch(/monitors \(143\): `Monitor 0`, .*and 138 more/);
    expect(markdown).toContain("<details><summary>All 214</summary>");
    const short = renderMarkdown(result, { maxBytes: 3_000 });
    expect(Buffer.byteLength(short)).toBeLessThanOrEqual(3_000);
    expect(short).toContain("214 objects blocked");
  });

  test("are a card before the rows of the page, with links to some of each kind", () => {
    const data = /<script type="application\/json" id="data">(.*)<\/script>/u.exec(renderHtml(result))?.[1];
    const { causes, items: rows } = JSON.parse(data ?? "{}") as {
      causes: readonly object[];
      items: unknown[];
    };
    expect(rows).toHaveLength(214);
    expect(causes).toEqual([
      expect.objectContaining({
        summary: 'source "Snowflake DEV" has no twin at the target',
        size: "214 objects blocked",
        kinds: [
          expect.objectContaining({ kind: "monitors", count: 143 }),
          expect.objectContaining({ kind: "rules", count: 71 }),
        ],
      }),
    ]);
  });

  test.each([40, 60, 80, 120])("keep to %i columns but for what is copied", (width) => {
    const lines = renderText(result, { width }).split("\n");
    for (const line of lines) if (!line.includes("`")) expect(columns(line)).toBeLessThanOrEqual(width);
  });
});

test("a cause with marks of every format makes nothing in any of them", () => {
  const hostile = 'a`b\u001b[31m<img src=x onerror=alert(1)> @everyone [x](javascript:1) "\n# h';
  const cause = { key: "k", summary: hostile, detail: hostile, suggestion: hostile };
  const result = resultOf([1, 2, 3].map((index) => blocked("rules", index, hostile, [cause])));
  expect(renderText(result)).not.toContain("\u001b");
  const markdown = renderMarkdown(result);
  // In a code span nothing is read.
  expect(markdown.replaceAll(/(`+)(?!`).*?[^`]\1(?!`)/gu, "")).not.toMatch(
    /<img|^# h|\]\(javascript|@everyone/mu,
  );
  expect(renderHtml(result)).not.toContain("<img");
});

describe("a result of changes that were shown before", () => {
  const brief = renderText(ordinaryResult(), { brief: true, whole: "plans/orders/report.html" });

  test("tells how many were done, what was not, and everything that needs a person with its reason", () => {
    expect(brief).toContain(
      'Done (6)\n  create   terms "Email address", "顧客番号", rules "Email is well formed"\n  update   terms "Customer"\n',
    );
    expect(brief).toMatch(/^Not done \(1\)\n.*monitors Orders, daily/mu);
    expect(brief).toContain("the service refused it: 422, the catalog item has no attribute AMOUNT_EUR");
    expect(brief).toContain('waits for monitors "Invoices, hourly", which failed');
    expect(brief).toContain("!!! DELETES WITHHELD AT prod (2) !!!");
  });

  test("does not tell again what differs, and says where that is and what is next", () => {
    expect(brief).not.toContain("Prospects do not count");
    expect(brief).not.toContain("/schedule/enabled");
    expect(brief).toMatch(
      /Every change: plans\/orders\/report\.html\nNext:\n {2}ferry resolve orders\n {2}ferry apply orders\n$/u,
    );
  });
});
