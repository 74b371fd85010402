import { beforeEach, describe, expect, test } from "vitest";
import { seedTerm } from "../../src/emulator/seed.ts";
import type { Little } from "./support/little.ts";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";
import { inWhole } from "../support/whole.ts";

const stage = useStage();
let little: Little;

beforeEach(() => {
  little = furnish(stage().dev);
  stage().plan();
});

interface Row {
  readonly kind: string;
  readonly source: string;
  readonly target: string;
  readonly name: string;
  readonly origin: string;
}

async function list(...more: readonly string[]): Promise<readonly Row[]> {
  const { exitCode, details } = await stage().json(["mappings", "move", "list", ...more]);
  expect(exitCode).toBe(0);
  return (details as unknown as { mappings: readonly Row[] }).mappings;
}

describe("after a run", () => {
  beforeEach(async () => {
    await stage().json("sync move --yes");
  });

  test("list: all of them, those of a kind, those with a text", async () => {
    expect((await list()).length).toBe(45);
    expect((await list("--kind", "terms")).map(({ name }) => name).sort()).toEqual(["Customer", "Order"]);
    expect((await list("order", "--kind", "terms")).map(({ name }) => name)).toEqual(["Order"]);
    expect((await list(little.rule)).map(({ name }) => name)).toEqual(["Email is filled"]);
  });

  inWhole("for a person: counts, then the first of each kind; --all has every one", async () => {
    const { stdout } = await stage().ferry("mappings move list");
    expect(stdout).toMatch(/kind +all +created +paired\n/);
    expect(stdout).toMatch(/primary-monitors +40 +0 +40\n/);
    expect(stdout).toContain("… and 20 more; --all shows them");
    expect(stdout.match(/ -> urn:/g)).toHaveLength(25);
    const { stdout: all } = await stage().ferry("mappings move list --all");
    expect(all.match(/ -> urn:/g)).toHaveLength(45);
    expect(all).not.toContain("--all");
  });

  inWhole("--kinds means by the plan's words", async () => {
    expect(new Set((await list("--kinds", "monitors")).map(({ kind }) => kind))).toEqual(
      new Set(["monitors", "primary-monitors"]),
    );
  });

  test.each([
    ["--kinds", ["monitors", "primary-monitors"]],
    ["--kind", ["monitors"]],
  ])("export heeds %s as list does", async (flag, kinds) => {
    await stage().json(["mappings", "move", "export", "pairs.json", flag, "monitors"]);
    const { pairs } = JSON.parse(stage().read("pairs.json")) as { pairs: readonly Row[] };
    expect([...new Set(pairs.map(({ kind }) => kind))].sort()).toEqual(kinds);
  });

  test("show: by the source and by the target", async () => {
    const [row] = await list("Order", "--kind", "terms");
    for (const urn of [row?.source ?? "", row?.target ?? ""]) {
      const { details } = await stage().json(["mappings", "move", "show", urn]);
      expect(details).toMatchObject({
        kind: "terms",
        source: row?.source,
        target: row?.target,
        origin: "created",
      });
    }
    const { exitCode, diagnostics } = await stage().json(
      "mappings move show urn:data:dev:catalog:term:nothing",
    );
    expect(exitCode).toBe(64);
    expect(diagnostics[0]?.suggestion).toContain("mappings move list");
  });

  test("export, remove, import: as it was, but told by a person", async () => {
    const before = await list("--kind", "terms");
    expect(await stage().json("mappings move export pairs.json")).toMatchObject({
      exitCode: 0,
      headline: "45 pairs in pairs.json",
    });
    const sources = before.map(({ source }) => source);
    expect(await stage().json(["mappings", "move", "remove", ...sources])).toMatchObject({ exitCode: 0 });
    expect(await list("--kind", "terms")).toEqual([]);
    expect(stage().prod.counts().terms).toBe(2);
    expect(await stage().json("mappings move import pairs.json")).toMatchObject({
      exitCode: 0,
      headline: "2 pairs set. 43 were so already.",
      // Many pairs would be many requests.
      diagnostics: [{ severity: "info", code: "pair-unchecked" }],
    });
    expect(await list("--kind", "terms")).toEqual(before.map((row) => ({ ...row, origin: "explicit" })));
    expect((await list("--kind", "rules")).map(({ origin }) => origin)).toEqual(["created"]);
    expect(await stage().json("sync move --yes")).toMatchObject({ summary: { create: 0, failed: 0 } });
    expect(stage().prod.counts()).toMatchObject({ terms: 2, rules: 1, dashboards: 1 });
  });

  inWhole(
    "a pair that is so already keeps what was applied: what changed at the target since still shows",
    async () => {
      const [order] = await list("Order", "--kind", "terms");
      await stage().json("mappings move export pairs.json");
      expect(await stage().json("mappings move import pairs.json")).toMatchObject({
        headline: "0 pairs set. 45 were so already.",
      });
      expect(
        await stage().json(["mappings", "move", "set", order?.source ?? "", order?.target ?? ""]),
      ).toMatchObject({
        exitCode: 0,
        headline: "0 pairs set. 1 was so already.",
      });
      expect(await list("Order", "--kind", "terms")).toEqual([order]);
      const there = stage().prod.terms.get(order?.target ?? "");
      if (there?.published === undefined) throw new Error("the term is not there");
      stage().prod.terms.put({
        ...there,
        published: { ...there.published, description: "Somebody else's words." },
      });
      const { summary } = await stage().json("diff move");
      expect(summary).toMatchObject({ update: 0, drift: 1 });
    },
  );

  test("remove needs no secret: it asks nobody", async () => {
    const env = Object.fromEntries(Object.keys(stage().env).map((name) => [name, undefined]));
    const words = ["mappings", "move", "remove", little.rule];
    const { code, stdout } = await stage().ferry(words, { env });
    expect([code, stdout]).toEqual([0, expect.stringContaining("1 pair removed")]);
    expect((await stage().ferry("mappings move lst", { env })).stdout).toContain("Did you mean list?");
  });

  inWhole("remove of what is not mapped changes nothing", async () => {
    const { exitCode } = await stage().json([
      "mappings",
      "move",
      "remove",
      little.rule,
      "urn:data:dev:catalog:term:x",
    ]);
    expect(exitCode).toBe(64);
    expect(await list(little.rule)).toHaveLength(1);
  });

  test.each(["twice", "with its kind and without it"])(
    "remove: a pair that is named %s goes once",
    async (how) => {
      const again = how === "twice" ? little.rule : `rules:${little.rule}`;
      const { stdout } = await stage().ferry(["mappings", "move", "remove", little.rule, again]);
      expect(stdout).toContain("1 pair removed.");
      expect(await list(little.rule)).toEqual([]);
    },
  );

  inWhole("remove of what stands at the target names the pair by its source", async () => {
    const [order] = await list("Order", "--kind", "terms");
    expect(await stage().json(["mappings", "move", "remove", order?.target ?? ""])).toMatchObject({
      exitCode: 64,
      diagnostics: [
        {
          summary: expect.stringContaining('is the twin of terms "Order"'),
          suggestion: `Name that: ferry mappings move remove ${order?.source ?? "?"}`,
        },
      ],
    });
    expect(await list("Order", "--kind", "terms")).toHaveLength(1);
  });

  test("a target that has a twin already is refused, and says which", async () => {
    const [order] = await list("Order", "--kind", "terms");
    const other = seedTerm(stage().dev, { name: "Another" });
    const { exitCode, diagnostics } = await stage().json([
      "mappings",
      "move",
      "set",
      other.urn,
      order?.target ?? "",
    ]);
    expect(exitCode).toBe(64);
    expect(diagnostics[0]?.suggestion).toContain(`remove ${order?.source ?? ""}`);
  });

  inWhole("none of it sends a write to either side", async () => {
    stage().emulator.log.clear();
    await stage().json("mappings move export pairs.json");
    await stage().json("mappings move import pairs.json");
    await stage().json(["mappings", "move", "remove", little.rule]);
    expect(stage().emulator.log.entries).toEqual([]);
  });
});

describe("set", () => {
  test("a pair that a person names wins over names", async () => {
    const twin = seedTerm(stage().prod, { name: "Client", description: "Who buys." });
    const set = ["mappings", "move", "set", little.terms.customer, twin.urn];
    expect(await stage().json(set)).toMatchObject({
      exitCode: 0,
      headline: "1 pair set.",
      next: ["ferry diff move"],
    });
    expect(await list()).toEqual([
      {
        kind: "terms",
        source: little.terms.customer,
        target: twin.urn,
        name: "Customer",
        origin: "explicit",
      },
    ]);
    const { changes } = await stage().json("diff move --kinds terms");
    const customer = changes.find(({ source }) => source?.urn === little.terms.customer);
    expect(customer?.target?.urn).toBe(twin.urn);
    expect(customer?.action).not.toBe("create");
  });

  inWhole("other natural keys are a warning: a person may mean it", async () => {
    const other = seedTerm(stage().prod, { name: "Client" });
    const { exitCode, diagnostics } = await stage().json([
      "mappings",
      "move",
      "set",
      little.terms.customer,
      other.urn,
    ]);
    expect(exitCode).toBe(0);
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "pair-other-key" }]);
    expect(diagnostics[0]?.summary).toMatch(/Customer" at dev, ".*Client" at prod/);
    const same = seedTerm(stage().prod, { name: "Order" });
    expect(await stage().json(["mappings", "move", "set", little.terms.order, same.urn])).toMatchObject({
      exitCode: 0,
      diagnostics: [],
    });
  });

  test("one read on each side, the list that shows what the twin is by now, and no write", async () => {
    const twin = seedTerm(stage().prod, { name: "Customer" });
    const { requests } = await stage().json(["mappings", "move", "set", little.terms.customer, twin.urn]);
    // Terms are read with their extra properties, whose names are a page of their own: once for all that is read of them.
    expect(requests).toEqual({ source: { reads: 2 }, target: { reads: 3, writes: 0 } });
    expect(stage().writes()).toEqual([]);
  });

  const nobody = "00000000-0000-4000-8000-000000000000";
  test.each([
    ["the target", (): readonly string[] => [little.terms.customer, `urn:data:prod:catalog:term:${nobody}`]],
    ["the source", () => [`urn:data:dev:catalog:term:${nobody}`, seedTerm(stage().prod, { name: "A" }).urn]],
    ["the rule", () => [little.rule, `urn:data:prod:data-quality:rule:${nobody}`]],
    ["the dashboard", () => [little.dashboard, `urn:data:prod:data-quality:dq-dashboard:${nobody}`]],
  ])("%s that does not exist is refused, unless --force is said", async (what, pair) => {
    const words = ["mappings", "move", "set", ...pair()];
    const { exitCode, diagnostics } = await stage().json(words);
    expect(exitCode).toBe(64);
    expect(diagnostics[0]?.summary).toMatch(
      new RegExp(`${nobody} does not exist at ${what === "the source" ? "dev" : "prod"}`),
    );
    expect(diagnostics[0]?.suggestion).toContain("--force");
    expect(await list()).toEqual([]);
    stage().emulator.log.clear();
    expect(await stage().json([...words, "--force"])).toMatchObject({ exitCode: 0 });
    expect(stage().emulator.log.entries).toEqual([]);
    expect(await list()).toHaveLength(1);
  });

  test("what cannot be read by its URN alone is set, and said to be unchecked", async () => {
    const target = `urn:data:prod:data-quality:dq-monitor:${nobody}`;
    const { exitCode, diagnostics } = await stage().json(["mappings", "move", "set", little.monitor, target]);
    expect(exitCode).toBe(0);
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "pair-unchecked" }]);
    expect(diagnostics[0]?.summary).toContain(target);
  });

  test("given things are looked up too", async () => {
    const item = (side: "dev" | "prod"): string => [...stage()[side].items.values()][0]?.urn ?? "";
    const missing = item("prod").replace(/[^:]+$/, nobody);
    expect(await stage().json(["mappings", "move", "set", item("dev"), missing])).toMatchObject({
      exitCode: 64,
    });
    expect(await stage().json(["mappings", "move", "set", item("dev"), item("prod")])).toMatchObject({
      exitCode: 0,
      diagnostics: [],
    });
  });

  test("a kind that is not the URN's is refused, and the right one is named", async () => {
    const twin = seedTerm(stage().prod, { name: "Customer" });
    const { exitCode, diagnostics } = await stage().json([
      "mappings",
      "move",
      "set",
      "--kind",
      "rules",
      little.terms.customer,
      twin.urn,
    ]);
    expect(exitCode).toBe(64);
    expect(diagnostics[0]?.suggestion).toContain("terms");
  });

  test.each([
    ["no URNs", ["customer", "client"], /is not a URN/],
    [
      "different types",
      [
        "urn:data:dev:catalog:term:00000000-0000-4000-8000-000000000001",
        "urn:data:prod:data-quality:rule:00000000-0000-4000-8000-000000000002",
      ],
      /different types/,
    ],
  ])("%s", async (_what, urns, said) => {
    const { exitCode, diagnostics } = await stage().json(["mappings", "move", "set", ...urns]);
    expect(exitCode).toBe(64);
    expect(diagnostics[0]?.summary).toMatch(said);
    expect(await list()).toEqual([]);
  });

  test("import: one wrong pair, and none of the file is taken", async () => {
    const twin = seedTerm(stage().prod, { name: "Client" });
    const good = { source: little.terms.customer, target: twin.urn };
    for (const wrong of [
      { source: "x", target: "y" },
      { ...good, source: little.terms.order, kind: "trems" },
    ]) {
      stage().write("pairs.json", JSON.stringify({ pairs: [good, wrong] }));
      expect(await stage().json("mappings move import pairs.json")).toMatchObject({ exitCode: 64 });
      expect(await list()).toEqual([]);
    }
  });

  test("import: two pairs of the file that contradict each other are told as that, and none is taken", async () => {
    const { customer, order } = little.terms;
    const [one, two] = [
      seedTerm(stage().prod, { name: "One" }).urn,
      seedTerm(stage().prod, { name: "Two" }).urn,
    ];
    for (const [other, said] of [
      [{ source: customer, target: two }, `${customer} is in two pairs: with ${one} and with ${two}`],
      [{ source: order, target: one }, `${one} is in two pairs: with ${customer} and with ${order}`],
    ] as const) {
      stage().write("pairs.json", JSON.stringify({ pairs: [{ source: customer, target: one }, other] }));
      const { exitCode, diagnostics } = await stage().json("mappings move import pairs.json");
      // There is no pair yet that could be taken away first.
      expect([exitCode, diagnostics[0]]).toMatchObject([
        64,
        { summary: said, suggestion: "Leave one of the two pairs out, and run it again." },
      ]);
      expect(await list()).toEqual([]);
    }
  });

  test("import: a pair that stands in the file twice is one", async () => {
    const pair = { source: little.terms.customer, target: seedTerm(stage().prod, { name: "Client" }).urn };
    stage().write("pairs.json", JSON.stringify({ pairs: [pair, pair] }));
    expect(await stage().json("mappings move import pairs.json")).toMatchObject({ headline: "1 pair set." });
  });

  test("import: a kind that is not the URN's is told as what stands in the file", async () => {
    const pair = { source: little.terms.customer, target: seedTerm(stage().prod, { name: "Client" }).urn };
    stage().write("pairs.json", JSON.stringify({ pairs: [{ ...pair, kind: "rules" }] }));
    const { diagnostics } = await stage().json("mappings move import pairs.json");
    expect(diagnostics[0]?.suggestion).toBe(
      "Say in the file that it is of the kind terms, or leave its kind out there.",
    );
  });

  test.each(["[]", "source;target", '{ "format": 1, "kind": "terms", "entries": {} }'])(
    "import: of %s it is said what a file of pairs looks like",
    async (text) => {
      stage().write("pairs.json", text);
      const { exitCode, diagnostics } = await stage().json("mappings move import pairs.json");
      expect(exitCode).toBe(1);
      expect(diagnostics[0]?.suggestion).toContain('{ "pairs": [ { "source":');
      expect(diagnostics[0]?.suggestion).toContain("ferry mappings move suggest --out");
    },
  );

  test.each([
    ["import", "the sides the other way round", /is of prod, and stands where one of dev belongs/],
    ["import", "both of the source", /is of dev, and stands where one of prod belongs/],
    // The kind cannot be read by a URN alone.
    ["set", "monitors the other way round", /is of prod, and stands where one of dev belongs/],
    ["set --force", "the sides the other way round", /is of prod, and stands where one of dev belongs/],
  ] as const)("%s: %s, which is told by their tenants", async (how, what, said) => {
    const twin = seedTerm(stage().prod, { name: "Client" });
    const { customer, order } = little.terms;
    const pairs = {
      "the sides the other way round": { source: twin.urn, target: customer },
      "both of the source": { source: order, target: customer },
      "monitors the other way round": {
        source: `urn:data:prod:data-quality:dq-monitor:${nobody}`,
        target: little.monitor,
      },
    };
    const { source, target } = pairs[what];
    stage().write("pairs.json", JSON.stringify({ pairs: [pairs[what]] }));
    const { exitCode, diagnostics } = await stage().json(
      how === "import" ? "mappings move import pairs.json" : `mappings move ${how} ${source} ${target}`,
    );
    expect(exitCode).toBe(64);
    expect(diagnostics[0]?.summary).toMatch(said);
    expect(await list()).toEqual([]);
    // It would be refused as long as such a pair is there.
    expect(await stage().json("diff move")).toMatchObject({ exitCode: 0 });
  });

  inWhole(
    "import: what neither side shows under its URN is told by each run, until the pair is taken away",
    async () => {
      const twin = seedTerm(stage().prod, { name: "Client" });
      const loud = (urn: string): string => urn.slice(0, -36) + urn.slice(-36).toUpperCase();
      const [source, target] = [loud(little.terms.customer), loud(twin.urn)];
      stage().write("pairs.json", JSON.stringify({ pairs: [{ source, target }] }));
      expect(await stage().json("mappings move import pairs.json")).toMatchObject({ exitCode: 0 });
      for (const words of ["diff move", "sync move --yes", "sync move --yes"]) {
        const { changes, exitCode } = await stage().json(words);
        const told = changes.find((change) => change.source?.urn === source);
        expect(told).toMatchObject({ action: "manual", target: { urn: target } });
        expect(told?.diagnostics).toMatchObject([{ severity: "error", code: "pair-of-nothing" }]);
        expect(exitCode).toBe(words === "diff move" ? 0 : 4);
      }
      await stage().json(["mappings", "move", "remove", source]);
      expect(await stage().json("sync move --yes")).toMatchObject({ exitCode: 0, summary: { manual: 0 } });
    },
  );

  inWhole("import: of a source that is not there nobody is told to remove the twin", async () => {
    const twin = seedTerm(stage().prod, { name: "Client" });
    const source = `urn:data:dev:catalog:term:${nobody}`;
    stage().write("pairs.json", JSON.stringify({ pairs: [{ source, target: twin.urn }] }));
    await stage().json("mappings move import pairs.json");
    const { changes } = await stage().json("diff move");
    const told = changes.find((change) => change.source?.urn === source);
    expect(told?.action).toBe("manual");
    expect(told?.diagnostics[0]?.suggestion).toMatch(/^If the pair is wrong, set the right one/);
  });

  test.each([
    ["two lists", '{"pairs":[{"source":"S","target":"T"}],"pairs":[]}', '"pairs" twice'],
    ["two targets", '{"pairs":[{"source":"S","target":"T","target":"U"}]}', '"target" twice'],
  ])("import: %s under one name, and neither is taken", async (_what, text, said) => {
    stage().write("pairs.json", text);
    const { exitCode, diagnostics } = await stage().json("mappings move import pairs.json");
    expect([exitCode, diagnostics[0]?.summary]).toEqual([1, expect.stringContaining(said)]);
  });

  test.each(["{}", "[]", "nonsense", '{"pairs":[{"source":1}]}'])("import of %s", async (text) => {
    stage().write("pairs.json", text);
    const { exitCode, diagnostics } = await stage().json("mappings move import pairs.json");
    expect(exitCode).not.toBe(0);
    expect(diagnostics[0]?.summary).toContain("pairs.json");
    expect(diagnostics[0]?.code).not.toBe("defect");
  });
});

describe("suggest", () => {
  beforeEach(() => {
    seedTerm(stage().prod, { name: "Customer", description: "Another text." });
    seedTerm(stage().prod, { name: "Order", description: "What is bought." });
  });

  interface Suggestion extends Row {
    readonly similarity: number;
    readonly differing: readonly string[];
  }

  test("the best first, and nothing is written", async () => {
    const { exitCode, details } = await stage().json("mappings move suggest");
    expect(exitCode).toBe(0);
    const { suggestions } = details as unknown as { suggestions: readonly Suggestion[] };
    expect(suggestions.map(({ name, similarity }) => [name, similarity === 1])).toEqual([
      ["Order", true],
      ["Customer", false],
    ]);
    expect(suggestions[1]?.differing).toEqual(["/description"]);
    expect(await list()).toEqual([]);
  });

  test("--out, edited, import", async () => {
    const { next } = await stage().json("mappings move suggest --out pairs.json --min-similarity 100");
    expect(next).toEqual(["ferry mappings move import pairs.json"]);
    expect(await stage().json("mappings move import pairs.json")).toMatchObject({
      exitCode: 0,
      headline: "1 pair set.",
    });
    expect((await list()).map(({ name }) => name)).toEqual(["Order"]);
  });

  test("on a terminal each one is asked for", async () => {
    const { code, asked, stderr } = await stage().ferry("mappings move suggest", {
      terminal: true,
      answers: ["n", "y"],
    });
    expect(code).toBe(0);
    expect(asked).toHaveLength(2);
    expect(stderr).toContain('terms "Customer"');
    expect((await list()).map(({ name }) => name)).toEqual(["Customer"]);
  });

  inWhole.each([["q"], ["n", "n"], ["", "Y"]])("answers %s: nothing is taken", async (...answers) => {
    await stage().ferry("mappings move suggest", { terminal: true, answers });
    expect(await list()).toEqual([]);
  });

  test("left with an interrupt nothing is taken, and it says what that loses", async () => {
    const leaving = { terminal: true, leave: true };
    const first = await stage().ferry("mappings move suggest", leaving);
    expect(first).toMatchObject({ code: 5, stdout: expect.stringContaining("nothing is lost") });
    const second = await stage().ferry("mappings move suggest", { ...leaving, answers: ["y"] });
    expect(second).toMatchObject({ code: 5, stdout: expect.stringContaining("before is not kept") });
    expect(second.stdout).toContain("type q");
    expect(second.stdout).not.toContain("nothing is lost");
    expect(await list()).toEqual([]);
  });

  inWhole.each(["--json", "--no-input"])("with %s nobody is asked", async (flag) => {
    const { asked } = await stage().ferry(`mappings move suggest ${flag}`, { terminal: true });
    expect(asked).toEqual([]);
  });
});
