import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { seedStewardship, seedTerm } from "../../src/emulator/seed.ts";
import { runProgram } from "../../src/cli/program.ts";
import { furnish } from "./support/little.ts";
import { Screen } from "./support/screen.ts";
import { useStage } from "./support/stage.ts";

/** What a person knows and accepts makes no run red, is told by itself, and only as long as it is what it was. */
const stage = useStage();

beforeEach(async () => {
  furnish(stage().dev);
  seedTerm(stage().prod, { name: "Customer", description: "Somebody else." });
  stage().plan({ select: { kinds: ["terms"] } });
  await stage().ferry("sync move --yes");
});

const ack = ["ack", "move", "Customer", "--reason", "theirs is better"];
const entryOf = (): readonly object[] =>
  (parse(stage().read("plans/move.yaml")) as { acknowledged: object[] }).acknowledged;
const describeHere = (name: string, side: "dev" | "prod", description: string): void => {
  const terms = stage()[side].terms;
  const term = [...terms.values()].find(({ published }) => published?.name === name);
  if (term?.published === undefined) throw new Error(`${side} has no ${name}`);
  terms.put({ ...term, published: { ...term.published, description } });
};

describe("ferry ack", () => {
  test("puts it into the plan, bound to what was found, and the next run is green and says so", async () => {
    expect(await stage().json("sync move --yes")).toMatchObject({ exitCode: 4, summary: { blocked: 1 } });
    const before = stage().read("plans/move.yaml");
    const { code, stdout } = await stage().ferry([...ack, "--until", "2999-12-31"]);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("1 object acknowledged"),
    });
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("what changes about it is told again.");
    expect(stage().read("plans/move.yaml").startsWith(before)).toBe(true);
    expect(entryOf()).toEqual([
      expect.objectContaining({
        kind: "terms",
        reason: "theirs is better",
        until: "2999-12-31",
        print: expect.any(String),
      }),
    ]);
    const after = await stage().json("sync move --yes");
    expect(after).toMatchObject({ exitCode: 0, summary: { blocked: 0, acknowledged: 1 } });
    expect(after.headline).toContain("Verified what was done. Not part of it: 1 acknowledged.");
    expect((await stage().json("verify move")).exitCode).toBe(0);
    const shown = await stage().ferry("diff move");
    expect(shown.stdout).toMatch(/Acknowledged \(1\)[\s\S]*theirs is better, until 2999-12-31; blocked: /);
    expect(shown.stdout).not.toContain("Needs a person");
    for (const file of ["report.md", "report.html"])
      expect(stage().read("plans/move", file)).toContain("theirs is better");
  });

  test("of something with marks that nobody sees leaves a plan that loads, and sends none of them to the terminal", async () => {
    const name = "A\u001b]0;owned\u0007\u202eB\u0085\u2028C";
    seedTerm(stage().dev, { name, description: "ours" });
    seedTerm(stage().prod, { name, description: "theirs" });
    await stage().ferry("diff move");
    const urn = [...stage().dev.terms.values()].find(({ published }) => published?.name === name)?.urn ?? "";
    const { code, stdout, stderr } = await stage().ferry(["ack", "move", urn, "--reason", "theirs"]);
    expect(code).toBe(0);
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    const hidden = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/u;
    for (const shown of [stdout, stderr, stage().read("plans/move.yaml")]) expect(shown).not.toMatch(hidden);
    expect(await stage().json("diff move")).toMatchObject({ exitCode: 0, summary: { acknowledged: 1 } });
  });

  test("is named by a proof as well that leaves something to a person", async () => {
    const { terms } = stage().prod;
    for (const { urn, published } of terms.values()) if (published?.name === "Order") terms.delete(urn);
    const proof = await stage().json("verify move");
    expect(proof).toMatchObject({ exitCode: 4, summary: { manual: 1 } });
    expect(proof.next).toEqual((await stage().json("sync move --yes")).next);
    expect(proof.next).toContain("ferry ack move");
  });

  test("needs no secrets and sends nothing", async () => {
    stage().emulator.log.clear();
    const env = { DEV_CLIENT_SECRET: undefined, PROD_CLIENT_SECRET: undefined };
    expect((await stage().ferry(ack, { env })).code).toBe(0);
    expect(stage().emulator.log.entries).toEqual([]);
  });

  test.each(["dev", "prod"] as const)("does not cover it any more when %s changes it", async (side) => {
    await stage().ferry(ack);
    expect((await stage().json("diff move --fail-on blocked")).exitCode).toBe(0);
    describeHere("Customer", side, "Something new.");
    const { changes, summary } = await stage().json("sync move --yes");
    expect(summary).toMatchObject({ blocked: 1, acknowledged: 0 });
    const found = changes[0]?.diagnostics.find(({ code }) => code === "acknowledged-no-longer");
    expect(found?.summary).toContain("as it was before it changed (theirs is better)");
    expect(found?.suggestion).toContain("ferry ack move terms:urn:");
    // Again, and the entry is the new one: there are not two of them.
    await stage().ferry(ack);
    expect(entryOf()).toHaveLength(1);
    expect((await stage().json("sync move --yes")).exitCode).toBe(0);
  });

  test("without an object it lists what waits", async () => {
    const { stdout } = await stage().ferry("ack move");
    expect(stdout).toMatch(/waiting:\s+- terms "Customer" \(urn:/);
    await stage().ferry(ack);
    await stage().ferry("diff move");
    expect((await stage().json("ack move")).details).toMatchObject({
      waiting: [],
      acknowledged: [expect.any(String)],
    });
  });

  test("asks for the reason at a terminal, and refuses without one", async () => {
    const refused = await stage().ferry("ack move Customer");
    expect(refused).toMatchObject({ code: 64, stdout: expect.stringContaining("--reason") });
    const asked = await stage().ferry("ack move Customer", { terminal: true, answers: ["because"] });
    expect(asked.code).toBe(0);
    expect(entryOf()).toEqual([expect.objectContaining({ reason: "because" })]);
  });

  test("what somebody wrote into the plan while the reason was asked for stays", async () => {
    const theirs = { kind: "terms", name: "Order*", reason: "theirs" };
    const mine = { kind: "terms", name: "Customer", reason: "by hand" };
    const plan = (...acknowledged: readonly object[]): void =>
      stage().plan({ select: { kinds: ["terms"] }, acknowledged: [...acknowledged] });
    plan({ ...mine, until: "2020-01-01" });
    const screen = new Screen({ cwd: stage().folder, env: stage().env, terminal: true });
    const io = {
      ...screen.io,
      ask: async () => {
        plan(theirs, mine);
        return "because";
      },
    };
    expect(await runProgram(["ack", "move", "Customer"], { io, version: () => "1.2.3-test" })).toBe(0);
    expect(entryOf()).toEqual([theirs, expect.objectContaining({ reason: "because" })]);
  });

  test("two at once are both in the plan", async () => {
    const names = ["Customer", "Supplier"];
    for (const name of names.slice(1)) {
      seedTerm(stage().dev, { name, description: "ours" });
      seedTerm(stage().prod, { name, description: "theirs" });
    }
    await stage().ferry("diff move");
    const codes = await Promise.all(
      names.map(async (name) => (await stage().ferry(["ack", "move", name, "--reason", name])).code),
    );
    expect(codes).toEqual(names.map(() => 0));
    expect(
      entryOf()
        .map((entry) => (entry as { reason: string }).reason)
        .toSorted(),
    ).toEqual(names);
  });

  test("is said to be for a person where an entry that it would replace stands for another one, too", async () => {
    const plan = stage().read("plans/move.yaml");
    const entries = "acknowledged:\n  - &one { kind: terms, name: Customer, reason: known }\n  - *one\n";
    stage().write("plans/move.yaml", `${plan}${entries}`);
    const { code, stdout } = await stage().ferry(["ack", "move", "Customer"]);
    expect({ code, stdout }).toMatchObject({ code: 64, stdout: expect.stringContaining("Add it by hand") });
    expect(stage().read("plans/move.yaml")).toBe(`${plan}${entries}`);
  });

  test("says what was probably meant", async () => {
    const { code, stdout } = await stage().ferry([...ack.slice(0, 2), "Custmer", ...ack.slice(3)]);
    expect(code).toBe(64);
    expect(stdout).toContain("Did you mean Customer?");
    for (const until of ["soon", "2999-13-01", "2999-02-30", "2020-01-01"])
      expect((await stage().ferry([...ack, "--until", until])).code).toBe(64);
  });
});

describe("what stands in the plan", () => {
  const acknowledged = (entry: object): void =>
    stage().plan({
      select: { kinds: ["terms"] },
      acknowledged: [{ kind: "terms", reason: "known", ...entry }],
    });

  test("a URN under which several things wait acknowledges none of them, and the kind in front says which", async () => {
    const { terms, entities } = stage().dev;
    const term = [...terms.values()].find(({ published }) => published?.name === "Customer");
    const [group] = entities.valuesIn("type:group");
    if (term === undefined || group === undefined) throw new Error("nothing is there to have a steward");
    seedStewardship(stage().dev, { entityUrn: term.urn, groupUrn: group.urn });
    stage().plan({ select: { kinds: ["terms", "stewardship"] } });
    await stage().ferry("diff move");
    const before = stage().read("plans/move.yaml");
    const { code, stdout } = await stage().ferry(["ack", "move", term.urn, "--reason", "known"]);
    expect(code).toBe(64);
    expect(stdout).toMatch(/waits as\s+several\s+things:\s+terms,\s+stewardship/);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(`ferry ack move terms:${term.urn}`);
    expect(stage().read("plans/move.yaml")).toBe(before);
    expect((await stage().ferry(["ack", "move", `terms:${term.urn}`, "--reason", "known"])).code).toBe(0);
    expect(entryOf()).toMatchObject([{ kind: "terms", urn: term.urn }]);
  });

  test("may be a pattern of names, without a print", async () => {
    acknowledged({ name: "Cust*" });
    expect((await stage().json("sync move --yes")).exitCode).toBe(0);
  });

  test("without a print it is told that it covers whatever comes, and ferry ack binds it with its reason", async () => {
    acknowledged({ name: "Cust*", until: "2999-12-31" });
    const { exitCode, diagnostics } = await stage().json("sync move --yes");
    expect(exitCode).toBe(0);
    const found = diagnostics.find(({ code }) => code === "acknowledged-unbound");
    expect(found).toMatchObject({ severity: "info", summary: expect.stringContaining("terms:Cust*") });
    expect(found?.suggestion).toContain('ferry ack move "terms:Cust*"');
    // It covers also what the object becomes, which is why it is told.
    describeHere("Customer", "dev", "Something new.");
    expect((await stage().json("sync move --yes")).exitCode).toBe(0);

    expect((await stage().ferry(["ack", "move", "terms:Cust*"])).code).toBe(0);
    expect(entryOf()).toEqual([
      {
        kind: "terms",
        urn: expect.stringContaining("urn:"),
        reason: "known",
        until: "2999-12-31",
        print: expect.any(String),
      },
    ]);
    const bound = await stage().json("sync move --yes");
    expect(bound.exitCode).toBe(0);
    expect(bound.diagnostics.map(({ code }) => code)).not.toContain("acknowledged-unbound");
    describeHere("Customer", "dev", "Something else again.");
    expect((await stage().json("sync move --yes")).exitCode).toBe(4);
    // Told again, the command that is named with it is enough.
    expect((await stage().ferry("ack move Customer")).code).toBe(0);
    expect((await stage().json("sync move --yes")).exitCode).toBe(0);
  });

  test("a pattern that covers more than what is bound stays; one whose time is over gives no reason", async () => {
    seedTerm(stage().dev, { name: "Custody", description: "Ours." });
    seedTerm(stage().prod, { name: "Custody", description: "Theirs." });
    acknowledged({ name: "Cust*" });
    await stage().json("sync move --yes");
    expect((await stage().ferry(["ack", "move", "Custody"])).code).toBe(0);
    expect(entryOf()).toEqual([
      { kind: "terms", reason: "known", name: "Cust*" },
      expect.objectContaining({ reason: "known", print: expect.any(String) }),
    ]);
    acknowledged({ name: "Cust*", until: "2020-01-01" });
    await stage().json("sync move --yes");
    expect(await stage().ferry("ack move Custody")).toMatchObject({
      code: 64,
      stdout: expect.stringContaining("--reason"),
    });
  });

  test("names the object for who reads the plan", async () => {
    stage().write(
      "plans/move.yaml",
      stage()
        .read("plans/move.yaml")
        .replace(/^acknowledged:[\s\S]*/m, ""),
    );
    await stage().ferry(ack);
    expect(stage().read("plans/move.yaml")).toMatch(/^acknowledged:\n {2}- \{.*\} # Customer$/m);
  });

  test("holds through its last day and not longer", async () => {
    acknowledged({ name: "Cust*", until: new Date().toISOString().slice(0, 10) });
    expect((await stage().json("sync move --yes")).exitCode).toBe(0);
    acknowledged({ name: "Cust*", until: "2020-01-01" });
    const { exitCode, changes } = await stage().json("sync move --yes");
    expect(exitCode).toBe(4);
    expect(JSON.stringify(changes)).toContain("acknowledged until 2020-01-01 (known)");
  });

  test("is told of when it fits nothing any more", async () => {
    acknowledged({ name: "Nobody*" });
    const { diagnostics } = await stage().json("diff move");
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ code: "acknowledged-idle", suggestion: "Take it out of the plan." }),
    );
    expect(diagnostics.find(({ code }) => code === "acknowledged-idle")?.summary).toContain('"Nobody*"');
  });

  test("is not told to be idle by a run whose flags leave out what it is about", async () => {
    acknowledged({ name: "Cust*" });
    const codesOf = async (words: string): Promise<readonly string[]> =>
      (await stage().json(words)).diagnostics.map(({ code }) => code);
    for (const flag of ["--include terms:Order", "--exclude Cust*"])
      expect(await codesOf(`diff move ${flag}`)).not.toContain("acknowledged-idle");
    acknowledged({ name: "Nobody*" });
    expect(await codesOf("diff move --kinds terms")).toContain("acknowledged-idle");
  });

  test.each([
    [{ kind: "termz", name: "x" }, /acknowledged\[0\]\.kind": there is no such kind/],
    [{}, /say which: name \(a pattern\) or urn/],
    [{ name: "x", urn: "urn:x" }, /say which/],
    [{ name: "x", until: "soon" }, /write a day such as 2027-03-31/],
    [{ name: "x", reason: "" }, /acknowledged\[0\]\.reason/],
  ])("%o is told as a mistake", async (entry, told) => {
    acknowledged(entry);
    const { code, stdout } = await stage().ferry("diff move");
    expect(code).toBe(64);
    expect(stdout.replaceAll(/\n\s+/g, " ")).toMatch(told);
  });
});

describe("--fail-on", () => {
  test.each([
    ["sync move --yes", 4],
    ["sync move --yes --fail-on drift,conflict", 0],
    ["sync move --yes --fail-on blocked", 4],
    ["sync move --yes --fail-on none", 0],
    ["diff move", 0],
    ["diff move --fail-on blocked,drift", 4],
    ["diff move --fail-on manual", 0],
    ["verify move", 4],
    ["verify move --fail-on drift", 0],
  ])("%s ends with %i", async (words, code) => {
    expect((await stage().json(words)).exitCode).toBe(code);
  });

  test("says which words there are", async () => {
    const { code, stderr } = await stage().ferry("diff move --fail-on blokced");
    expect(code).toBe(64);
    expect(stderr).toMatch(/Did you mean blocked\?/);
  });
});

test("without a term assignment in the plan nothing is said of links between rules and terms", async () => {
  stage().plan({ select: { kinds: ["terms", "rules", "monitors"] } });
  const { diagnostics } = await stage().json("diff move");
  expect(diagnostics.map(({ code }) => code)).not.toContain("link-term-rule");
});
