import { describe, expect, test } from "vitest";
import { exitCodes } from "../../src/model/result.ts";
import { orderKinds } from "../../src/report/kinds.ts";
import { headerOf } from "../../src/report/html/data.ts";
import { renderConsequences, renderHtml, renderMarkdown, renderText } from "../../src/report/index.ts";
import { duration, viewOf } from "../../src/report/view.ts";
import { emptyResult, largeResult, resultOf, richResult } from "./fixtures.ts";
import { richChanges } from "./rich.ts";

const found = {
  severity: "error",
  code: "missing-at-target",
  summary: "it is gone",
  suggestion: "ferry mappings orders remove <source urn>",
} as const;

describe("the view", () => {
  test("puts every change in exactly one place", () => {
    const result = richResult();
    const view = viewOf(result);
    const listed = [...view.sections, view.person, view.deletes].flatMap((section) =>
      section.items.map((item) => item.id),
    );
    expect(listed.toSorted()).toEqual(result.changes.map((change) => change.id).toSorted());
  });

  test("counts what is unchanged and lists none of it", () => {
    const [change] = richChanges();
    if (change === undefined) throw new Error("the fixture is empty");
    const view = viewOf(resultOf([{ ...change, action: "unchanged" }]));
    expect(view.items.size).toBe(0);
    expect(view.counts).toEqual([{ state: "unchanged", label: "unchanged", value: 1 }]);
  });

  test("what is not shown of the creates stands where nobody reads past it: head, question and banner", () => {
    const summary = "15,200 of 20,200 creates are listed without what they will hold";
    const detail = "It is plans/large/snapshot.";
    const result = resultOf(richChanges(), {
      diagnostics: [{ severity: "warning", code: "creates-in-brief", summary, detail }],
    });
    expect(viewOf(result).consequences.at(-1)).toEqual({ text: summary, names: detail });
    expect(renderConsequences(result, { width: 200 })).toContain(`! ${summary}\n      ${detail}`);
    expect(renderMarkdown(result)).toContain(`> [!WARNING]\n> **${summary}**`);
    const text = renderText(result, { width: 200 });
    expect(text.indexOf(summary)).toBeLessThan(text.indexOf("Update ("));
    // And once: a page that says it again among its notes has two of them to a reader.
    for (const page of [text, renderMarkdown(result), renderText(result, { width: 200, brief: true })])
      expect(page.split(summary)).toHaveLength(2);
    expect(headerOf(viewOf(result)).notes).toEqual([]);
    expect(viewOf(resultOf(richChanges())).consequences).toEqual([]);
  });

  test("everything that needs a person has a step", () => {
    for (const item of viewOf(richResult()).person.items) expect(item.steps.join("")).not.toBe("");
  });

  test("quotes a plan's name where a step is a command", () => {
    const view = viewOf({ ...resultOf(richChanges()), plan: "my plan; rm -rf ~" });
    expect(view.person.items.flatMap((item) => item.steps)).toContain("ferry resolve 'my plan; rm -rf ~'");
  });

  test("what failed in a rollback is gone on with by a rollback, and in a sync by a sync", () => {
    const one = richChanges().find((change) => change.outcome === "failed");
    if (one === undefined) throw new Error("the fixture has nothing that failed");
    const failed = resultOf([{ ...one, diagnostics: [] }], { command: "rollback" });
    const steps = (command: string): string =>
      viewOf({ ...failed, command })
        .person.items.flatMap((item) => item.steps)
        .join();
    expect(steps("rollback")).toContain("run ferry rollback orders again");
    expect(steps("sync")).toContain("run ferry sync orders again");
    expect(steps("apply")).toContain("run ferry apply orders again");
  });

  test("a step names the source's URN where it stands for one object", () => {
    const one = richChanges().find((change) => change.action === "manual");
    if (one === undefined) throw new Error("the fixture has nothing manual");
    const many = ["a", "b", "c"].map((id) => ({ ...one, id, diagnostics: [found] }));
    const single = viewOf(resultOf(many.slice(0, 1))).person.items;
    expect(single[0]?.steps).toEqual([`ferry mappings orders remove ${one.source?.urn ?? ""}`]);
    // What is said of several at once names none of them.
    expect(viewOf(resultOf(many)).byCause.causes[0]?.steps).toEqual([found.suggestion]);
  });

  test("such a URN is one word of a shell: it comes from a service", () => {
    const one = richChanges().find((change) => change.action === "manual");
    const urn = "urn:data:$(touch${IFS}here):catalog:term:00000000-0000-4000-8000-000000000001";
    const changes = one === undefined ? [] : [{ ...one, source: { urn, name: "x" }, diagnostics: [found] }];
    expect(viewOf(resultOf(changes)).person.items[0]?.steps).toEqual([
      `ferry mappings orders remove '${urn}'`,
    ]);
  });

  test("kinds stand in the order of their dependencies, and a circle does not hang", () => {
    const change = (id: string, kind: string, dependsOn: string[]) => ({
      id,
      kind,
      dependsOn,
      action: "create" as const,
      reason: "",
      fields: [],
      diagnostics: [],
    });
    const line = [change("d", "dashboards", ["m"]), change("m", "monitors", ["r"]), change("r", "rules", [])];
    expect(orderKinds(line)).toEqual(["rules", "monitors", "dashboards"]);
    expect(orderKinds([change("a", "terms", ["b"]), change("b", "rules", ["a"])])).toHaveLength(2);
  });

  test("says deletes were withheld, done, or are due", () => {
    const one = richChanges().find((change) => change.action === "delete");
    if (one === undefined) throw new Error("the fixture has no delete");
    const { outcome: _, ...due } = one;
    expect(viewOf(resultOf([one])).deletes.title).toBe("Deletes withheld");
    expect(viewOf(resultOf([{ ...one, outcome: "done" }])).deletes.title).toBe("Deleted");
    expect(viewOf(resultOf([due])).deletes.title).toBe("Deletes");
  });

  test.each([
    [{ exitCode: exitCodes.done }, "good"],
    [{ exitCode: exitCodes.changes }, "news"],
    [{ exitCode: exitCodes.partial }, "warn"],
    [{ exitCode: exitCodes.failed }, "bad"],
  ] as const)("%o reads as %s", (more, tone) => {
    expect(viewOf({ ...emptyResult(), ...more }).tone).toBe(tone);
  });

  test("makes a headline where the command has none", () => {
    expect(viewOf(resultOf([])).headline).toBe("Nothing to change.");
    expect(viewOf(resultOf(richChanges())).headline).toContain("need a person.");
  });

  test.each([
    [12, "12 ms"],
    [1234, "1.2 s"],
    [59_960, "60.0 s"],
    [61_000, "1 min 1 s"],
    [3_661_000, "1 h 1 min"],
  ])("%i milliseconds are %s", (milliseconds, expected) => {
    expect(duration(milliseconds)).toBe(expected);
  });

  test("what another command has to tell is in every format", () => {
    const result = {
      ...emptyResult(),
      command: "status",
      details: { pending: [{ kind: "terms", left: 3 }] },
    };
    for (const text of [renderText(result), renderMarkdown(result)]) expect(text).toContain("  terms  3");
    expect(renderHtml(result)).toContain(JSON.stringify(["pending:", "  kind   left", "  terms  3"]));
  });

  test("all formats say the same counts and the same headline", () => {
    for (const result of [richResult(), largeResult(100)]) {
      const view = viewOf(result);
      const [text, html] = [renderText(result), renderHtml(result)];
      const rows = renderMarkdown(result)
        .split("\n")
        .filter((line) => line.startsWith("| "));
      for (const { label, value } of view.counts) expect(text).toContain(`${value} ${label}`);
      expect(rows.at(-1)).toBe(`| ${view.counts.map((count) => count.value).join(" | ")} |`);
      expect(html).toContain(JSON.stringify(view.counts));
      for (const shown of [text, html]) expect(shown).toContain(view.headline);
    }
  });
});
