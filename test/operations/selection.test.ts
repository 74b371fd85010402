import { describe, expect, test } from "vitest";
import { demoPairing } from "../../src/emulator/scenarios/index.ts";
import type { Tenant } from "../../src/emulator/index.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import { EngineError } from "../../src/engine/progress.ts";
import type { Selection } from "../../src/model/plan.ts";
import type { Result } from "../../src/model/result.ts";
import { differences } from "../support/meaning.ts";
import type { World } from "../support/world.ts";
import { onDemo } from "./on-demo.ts";
import { only, outline, refusal, run, writes } from "./support.ts";
import { allOr } from "../support/whole.ts";

let demo: World;
let source: Tenant;
let target: Tenant;
onDemo((at) => ({ demo, source, target } = at));

const move = async (select: Partial<Selection>): Promise<Result> => run(demo, { select }, { verify: true });
const dry = async (select: Partial<Selection>): Promise<Result> => diffPlan(demo.migration({ select }));
const names = (result: Result, kind: string): readonly string[] =>
  result.changes.flatMap((change) => (change.kind === kind ? [change.source?.name ?? ""] : [])).sort();

function ruleUrns(name: string): string[] {
  return [...source.rules.values()].flatMap(({ urn, published }) => (published?.name === name ? [urn] : []));
}

describe("include and exclude", () => {
  test("by kind and name", async () => {
    const result = await move({ kinds: ["rules"], include: [{ kind: "rules", name: "Email*" }] });
    expect(outline(result.changes)).toEqual(["create rules Email format", "create rules Email format"]);
    expect(target.counts()).toMatchObject({ rules: 2, terms: 0, dashboards: 0 });
    expect(result.exitCode).toBe(0);
  });

  const patterns: readonly (readonly [kind: string, name: string, wanted: readonly string[]])[] = [
    ["terms", "E-mail*", ["E-mail address"]],
    ["terms", "E?mail address", ["E-mail address"]],
    ["rules", "*(built)", ["Fuel level (built)", "Supplier has a contact (built)"]],
    ["rules", "Rating 1–5 ?", ["Rating 1–5 ★"]],
    ["rules", "G*(DACH)", ["Gültige Postleitzahl (DACH)"]],
    ["dashboards", "Lieferung & Kühl*", ["Lieferung & Kühlkette"]],
    ["dashboards", "Board", ["Board"]],
  ];

  test.each(allOr(patterns, (_row, index) => index % 3 === 0))(
    "of %s named %s",
    async (kind, name, wanted) => {
      const result = await dry({ kinds: [kind], include: [{ kind, name }] });
      expect(
        names(
          { ...result, changes: result.changes.filter((change) => change.pulledInBy === undefined) },
          kind,
        ),
      ).toEqual(wanted);
    },
  );

  test("a name is itself, not an expression, and its capitals count", async () => {
    for (const name of ["email format", "Email.format", "(Email format|x)", "[E]mail format"]) {
      const error = await refusal(dry({ kinds: ["rules"], include: [{ kind: "rules", name }] }));
      expect(error instanceof EngineError && error.code, name).toBe("selection");
    }
  });

  test("exclude takes away what include let in", async () => {
    const result = await move({
      kinds: ["terms"],
      include: [{ kind: "terms", name: "Order*" }],
      exclude: [{ kind: "terms", name: "*number" }],
      dependencies: "mapped-only",
    });
    expect(names(result, "terms")).toEqual(["Order", "Order line"]);
  });

  test("exclude alone leaves the rest of the kind", async () => {
    const result = await move({ kinds: ["rules"], exclude: [{ kind: "rules", name: "*(built)" }] });
    expect(result.summary).toMatchObject({ create: source.counts().rules - 2, manual: 0 });
    expect(result.exitCode).toBe(0);
  });

  test("by a list of URNs, which tells two of one name apart", async () => {
    const [first, second] = ruleUrns("Email format");
    const result = await move({ kinds: ["rules"], include: [{ kind: "rules", urns: [second ?? ""] }] });
    expect(result.changes.map((change) => change.source?.urn)).toEqual([second]);
    expect(result.changes.map((change) => change.source?.urn)).not.toContain(first);
    expect(target.counts().rules).toBe(1);
  });

  test("include of one kind leaves the other kinds whole", async () => {
    const result = await dry({ kinds: ["rules", "terms"], include: [{ kind: "rules", name: "Email*" }] });
    expect(names(result, "rules")).toHaveLength(2);
    expect(names(result, "terms")).toHaveLength(source.counts().terms);
  });

  test("monitors means primary ones too", async () => {
    const result = await dry({ kinds: ["monitors"], include: [{ kind: "monitors", name: "* (primary)" }] });
    expect(only(result.changes, "update").every((change) => change.kind === "primary-monitors")).toBe(true);
    expect(only(result.changes, "update")).toHaveLength(8);
    expect(names(result, "monitors")).toEqual([]);
  });
});

describe("a selector that matches nothing", () => {
  const [unknown] = ["urn:data:dev:data-quality:rule:00000000-0000-4000-8000-000000000000"];
  test.each<[string, Partial<Selection>]>([
    ["a name", { include: [{ kind: "rules", name: "Emial*" }] }],
    ["a name to exclude", { exclude: [{ kind: "monitors", name: "*playground*" }] }],
    ["a URN", { include: [{ kind: "rules", urns: [unknown] }] }],
    ["a kind that is not selected", { kinds: ["terms"], include: [{ kind: "rules", name: "Email*" }] }],
    [
      "one of two",
      {
        include: [
          { kind: "rules", name: "Email*" },
          { kind: "rules", name: "Nothing" },
        ],
      },
    ],
  ])("%s is an error before anything is written", async (_what, select) => {
    const error = await refusal(run(demo, { select }));
    expect(error instanceof EngineError && error.code).toBe("selection");
    expect(error.message).toContain("nothing at the source matches");
    const selector = [...(select.include ?? []), ...(select.exclude ?? [])].at(-1);
    expect(error.message).toContain(selector?.name ?? selector?.urns?.[0] ?? "?");
    expect(writes(demo.emulator, "prod")).toEqual([]);
  });

  test("a single URN of a list that is not there is one too: it is a mistake or a lost object", async () => {
    const urns = [ruleUrns("Email format")[0] ?? "", unknown];
    const error = await refusal(
      run(demo, { select: { kinds: ["rules"], include: [{ kind: "rules", urns }] } }),
    );
    expect(error instanceof EngineError && error.code).toBe("selection");
    expect(error.message).toContain(unknown);
    expect(error.message).not.toContain(urns[0]);
  });
});

describe("dependencies", () => {
  const board: Partial<Selection> = {
    kinds: ["dashboards"],
    include: [{ kind: "dashboards", name: "Customer data" }],
  };

  test("include: come along, each with what pulled it in", async () => {
    const result = await move(board);
    expect(names(result, "dashboards")).toEqual(["Customer data"]);
    expect(names(result, "monitors")).toEqual([
      "Customer master data",
      "Deliverable addresses",
      "Mail campaign readiness",
    ]);
    expect(result.exitCode).toBe(0);
    const pulled = result.changes.filter((change) => change.kind !== "dashboards");
    for (const change of pulled) expect(change.pulledInBy, change.id).toBeDefined();
    expect(result.changes.find((change) => change.kind === "dashboards")?.pulledInBy).toBeUndefined();
    const monitor = pulled.find((change) => change.source?.name === "Deliverable addresses");
    expect(monitor?.pulledInBy).toMatchObject({ kind: "dashboards", name: "Customer data" });
    const rule = pulled.find((change) => change.source?.name === "Country code");
    expect(rule?.pulledInBy).toMatchObject({ kind: "monitors", name: "Deliverable addresses" });
    // What came over is whole, and there is nothing else.
    const lines = differences(source, target, { renames: demoPairing });
    expect(
      lines.filter((line) => !line.endsWith("is not at the target") && !line.startsWith("primary monitor")),
    ).toEqual([]);
    expect(target.counts()).toMatchObject({ dashboards: 1, terms: 0, rules: names(result, "rules").length });
  });

  test("include: terms bring the terms that they refer to, round their circles", async () => {
    const result = await move({ kinds: ["terms"], include: [{ kind: "terms", name: "Product category" }] });
    // Product and category refer to each other; product to its two numbers as well.
    expect(names(result, "terms")).toEqual(["GTIN", "Product", "Product category", "Stock keeping unit"]);
    expect(result.exitCode).toBe(0);
  });

  test("what exclude names does not come in through a reference either: its dependents are blocked", async () => {
    const result = await move({
      ...board,
      exclude: [{ kind: "dashboards", name: "Audit" }, { name: "Country code" }],
      kinds: ["dashboards", "monitors", "rules"],
      include: [
        { kind: "dashboards", name: "Customer data" },
        { kind: "monitors", name: "Deliverable addresses" },
        { kind: "rules", name: "Value is present" },
      ],
    });
    expect([...target.rules.values()].map(({ published }) => published?.name)).not.toContain("Country code");
    const monitor = result.changes.find((change) => change.source?.name === "Deliverable addresses");
    expect(monitor).toMatchObject({ action: "blocked" });
    expect(JSON.stringify(monitor?.diagnostics)).toContain("Country code");
  });

  test("mapped-only: what they need is not there, so they are blocked with the reason and the place", async () => {
    const result = await run(demo, { select: { kinds: ["monitors"], dependencies: "mapped-only" } });
    expect(names(result, "rules")).toEqual([]);
    expect(target.counts().rules).toBe(0);
    expect(outline(only(result.changes, "create"))).toEqual(["create monitors Clickstream profile"]);
    expect(only(result.changes, "update")).toEqual([]);
    const blocked = only(result.changes, "blocked");
    const primaries = [...source.items.values()].filter((item) => item.primaryMonitorUrn !== undefined);
    // All but the profile of the clickstream, which applies no rule.
    expect(names({ ...result, changes: blocked }, "monitors")).toHaveLength(
      source.counts().monitors - primaries.length - 1,
    );
    for (const change of blocked) {
      const problem = change.diagnostics.find((diagnostic) => diagnostic.pointer !== undefined);
      expect(problem?.coordinate, change.id).toMatchObject({ kind: change.kind, urn: change.source?.urn });
      expect(problem?.pointer).toMatch(
        /^\/manualRuleInstances\/.*\/(ruleUrn|ruleAttributeUrn|ruleParameterUrn)$/,
      );
      expect(problem?.suggestion).toMatch(/select|mappings/);
    }
    expect(result.exitCode).toBe(4);
  });

  test("mapped-only: a listed object that is not selected is named as the reason", async () => {
    const result = await dry({
      kinds: ["rules", "monitors"],
      include: [{ kind: "rules", name: "Value is present" }],
      dependencies: "mapped-only",
    });
    const change = result.changes.find(({ source: named }) => named?.name === "Customer master data");
    expect(change?.action).toBe("blocked");
    expect(change?.diagnostics.map((diagnostic) => diagnostic.summary).join("\n")).toContain(
      '"Unique customer key"',
    );
    expect(change?.diagnostics.map((diagnostic) => diagnostic.suggestion).join("\n")).toContain(
      "select.dependencies",
    );
  });

  test("mapped-only: what an earlier run brought over is enough", async () => {
    await move({ kinds: ["rules"] });
    const result = await move({ kinds: ["monitors"], dependencies: "mapped-only" });
    expect(result.summary).toMatchObject({ blocked: 0, failed: 0 });
    expect(names(result, "rules")).toEqual([]);
    const boards = await move({ kinds: ["dashboards"], dependencies: "mapped-only" });
    expect(boards.summary).toMatchObject({ create: 6, blocked: 0 });
    expect(
      differences(source, target, { renames: demoPairing }).filter(
        (line) => !/^(term|rule) .*is not at the target$/.test(line),
      ),
    ).toEqual([]);
  });
});

describe("a selected kind never lets an unselected one through", () => {
  test.each<[string, Partial<Selection>]>([
    ["a selector without a kind", { kinds: ["rules"], include: [{ name: "*" }] }],
    ["rules, which need only given things", { kinds: ["rules"] }],
    ["an exclude without a kind", { kinds: ["rules"], exclude: [{ name: "*(built)" }] }],
  ])("%s", async (_what, select) => {
    const result = await move(select);
    expect(new Set(result.changes.map((change) => change.kind))).toEqual(new Set(["rules"]));
    expect(target.counts()).toMatchObject({ terms: 0, dashboards: 0, monitors: target.counts().items });
  });

  test("terms alone ask for no rule, monitor or dashboard, on either side", async () => {
    await move({ kinds: ["terms"] });
    const routes = new Set(demo.emulator.log.entries.map((entry) => entry.route));
    for (const name of ["rules", "dq-monitors", "dq-dashboards"]) {
      expect([...routes].filter((route) => route.endsWith(`/${name}`))).toEqual([]);
    }
  });

  test("monitors with their rules bring no term and no dashboard", async () => {
    const result = await move({ kinds: ["monitors"] });
    expect(new Set(result.changes.map((change) => change.kind))).toEqual(
      new Set(["monitors", "primary-monitors", "rules"]),
    );
    const rules = result.changes.filter((change) => change.kind === "rules");
    for (const change of rules) expect(change.pulledInBy, change.source?.name).toBeDefined();
    // Rules that no monitor applies stay where they are.
    expect(rules.length).toBeLessThan(source.counts().rules);
    expect(target.counts()).toMatchObject({ terms: 0, dashboards: 0, rules: rules.length });
  });
});
