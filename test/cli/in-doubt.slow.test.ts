import { beforeEach, describe, expect, test } from "vitest";
import { seedTerm } from "../../src/emulator/seed.ts";
import type { Little } from "./support/little.ts";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";

/** Exit code 6, and how a person gets out of it: `status`, `resolve`, `apply`. */
const stage = useStage();
let little: Little;

/** The answer to the create of the terms is lost, and meanwhile somebody else creates one of them too. */
beforeEach(async () => {
  little = furnish(stage().dev);
  stage().plan();
  const route = "POST /api/catalog/v1/terms/bulk";
  stage().emulator.faults.add({
    match: { route },
    when: { times: 1 },
    effect: { type: "drop-after-commit" },
  });
  const off = stage().emulator.on(({ phase, entry }) => {
    if (phase !== "after-commit" || entry.route !== route) return;
    off();
    seedTerm(stage().prod, { name: "Customer", description: "Who buys." });
  });
  const { exitCode, summary, next } = await stage().json("apply move --yes");
  expect(exitCode).toBe(6);
  expect(summary.inDoubt).toBe(1);
  expect(next).toContain("ferry resolve move");
  expect(named("Customer")).toHaveLength(2);
});

/** URNs of the terms of a name at the target. */
function named(name: string): readonly string[] {
  return [...stage().prod.terms.values()]
    .filter(({ published }) => published?.name === name)
    .map(({ urn }) => urn);
}

test("a further apply decides nothing and repeats nothing", async () => {
  const { exitCode, diagnostics } = await stage().json("apply move --yes");
  expect(exitCode).toBe(6);
  expect(diagnostics.find(({ code }) => code === "in-doubt")?.suggestion).toBe("Decide: ferry resolve move");
  expect(named("Customer")).toHaveLength(2);
});

test("status says what is in doubt; a diff does too, and verify is not content", async () => {
  const { exitCode, details, next } = await stage().json("status move");
  expect(exitCode).toBe(6);
  expect(next).toEqual(["ferry resolve move"]);
  expect(details).toMatchObject({ counts: { terms: { inDoubt: 1 } } });
  expect(JSON.stringify(details)).toContain("Customer");
  const diff = await stage().json("diff move");
  expect(diff.diagnostics.map(({ code }) => code)).toContain("in-doubt");
  expect(await stage().json("verify move")).toMatchObject({ exitCode: 7 });
});

test("a resolve that is interrupted as it looks at the target says so to people, and leaves what is in doubt", async () => {
  const stop = new AbortController();
  const off = stage().emulator.on(({ phase, entry }) => {
    if (phase === "received" && entry.tenant === "prod" && entry.method === "GET") stop.abort();
  });
  const { exitCode, headline, diagnostics } = await stage().json("resolve move", { stop });
  off();
  expect({ exitCode, headline, diagnostics }).toEqual({
    exitCode: 5,
    headline: "It did not come to its end.",
    diagnostics: [expect.objectContaining({ code: "interrupted", summary: "interrupted; nothing is lost" })],
  });
  expect((await stage().json("status move")).exitCode).toBe(6);
});

test("resolve lists the candidates and suggests commands that can be run as they stand", async () => {
  const { exitCode, details, next } = await stage().json("resolve move");
  expect(exitCode).toBe(6);
  const candidates = named("Customer").map((urn) => ({ urn, name: "Customer", sameContent: true }));
  expect(details).toMatchObject({
    inDoubt: [{ source: little.terms.customer, candidates: expect.arrayContaining(candidates) }],
  });
  const [command = ""] = next ?? [];
  expect(command).toMatch(/^ferry resolve move --take /);
  expect(await stage().json(command.split(" ").slice(1))).toMatchObject({ exitCode: 0 });
  expect(await stage().json("apply move --yes")).toMatchObject({ exitCode: 0 });
  expect(named("Customer")).toHaveLength(2);
});

describe("what a person decides", () => {
  test("--take: the object is the twin", async () => {
    const [, second = ""] = named("Customer");
    const { exitCode } = await stage().json([
      "resolve",
      "move",
      "--take",
      `${little.terms.customer}=${second}`,
    ]);
    expect(exitCode).toBe(0);
    expect(await stage().json("apply move --yes")).toMatchObject({ exitCode: 0 });
    expect(await stage().json(["mappings", "move", "show", little.terms.customer])).toMatchObject({
      details: { target: second },
    });
  });

  test("--take of something else is refused, and names the candidates", async () => {
    const [order = ""] = named("Order");
    const { exitCode, diagnostics } = await stage().json([
      "resolve",
      "move",
      "--take",
      `${little.terms.customer}=${order}`,
    ]);
    expect(exitCode).toBe(64);
    for (const urn of named("Customer")) expect(diagnostics[0]?.suggestion).toContain(urn);
    expect(await stage().json("resolve move")).toMatchObject({ exitCode: 6 });
  });

  test("--retry: it is sent again", async () => {
    expect(await stage().json(["resolve", "move", "--retry", little.terms.customer])).toMatchObject({
      exitCode: 0,
    });
    // Two of them are there already, so that the diff has to ask once more: by name they are ambiguous.
    const { summary } = await stage().json("apply move --yes");
    expect(summary.inDoubt).toBe(0);
  });

  test("--abandon: it is left", async () => {
    expect(await stage().json(["resolve", "move", "--abandon", little.terms.customer])).toMatchObject({
      exitCode: 0,
    });
    expect(await stage().json("status move")).toMatchObject({ details: { inDoubt: [] } });
  });

  test("a decision on something that is not in doubt is refused", async () => {
    const { exitCode, diagnostics } = await stage().json(["resolve", "move", "--retry", little.terms.order]);
    expect(exitCode).toBe(64);
    expect(diagnostics[0]?.suggestion).toContain("ferry resolve move");
  });

  test("asked on a terminal: a number takes that one", async () => {
    const { code, asked, stderr } = await stage().ferry("resolve move", { terminal: true, answers: ["2"] });
    expect(code).toBe(0);
    expect(asked).toHaveLength(1);
    expect(stderr).toContain("1) Customer");
    expect(stderr).toContain("2) Customer");
    expect(await stage().json("apply move --yes")).toMatchObject({ exitCode: 0 });
  });

  test.each(["", "9", "x"])('asked on a terminal: "%s" leaves it open', async (answer) => {
    const { code } = await stage().ferry("resolve move", { terminal: true, answers: [answer] });
    expect(code).toBe(6);
  });

  test.each(["--json", "--no-input"])("with %s nobody is asked", async (flag) => {
    const { code, asked } = await stage().ferry(`resolve move ${flag}`, { terminal: true });
    expect(code).toBe(6);
    expect(asked).toEqual([]);
  });
});

test("status for a person: counts first, and nothing of other kinds with --kinds", async () => {
  const { stdout } = await stage().ferry("status move");
  expect(stdout).toMatch(/kind +mapped +unfinished +in doubt\n/);
  expect(stdout).toMatch(/terms +\d+ +0 +1\n/);
  expect(stdout).toMatch(/in doubt:\n +- terms "Customer"/);
  const { exitCode, details } = await stage().json("status move --kinds rules");
  // How it stands is said of the whole all the same.
  expect(exitCode).toBe(6);
  expect(details).toMatchObject({ inDoubt: [] });
  expect(Object.keys((details as { counts: object }).counts)).not.toContain("terms");
});

test("rollback refuses as long as something is in doubt", async () => {
  const { exitCode, diagnostics } = await stage().json("rollback move --yes");
  expect(exitCode).toBe(6);
  expect(diagnostics[0]?.suggestion).toContain("ferry");
});
