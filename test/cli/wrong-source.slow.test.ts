import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { seedTerm } from "../../src/emulator/seed.ts";
import { useMovedTerms } from "./support/moved-terms.ts";

/** A source that was built anew is one loud finding, and not a second of everything. */
const stage = useMovedTerms();

/** The same terms under other URNs. */
function buildAnew(but: number): void {
  for (const { urn, published } of [...stage().dev.terms.values()].slice(but)) {
    stage().dev.terms.delete(urn);
    seedTerm(stage().dev, { name: String(published?.["name"]) });
  }
}

test.each(["diff move", "sync move --yes", "apply move --yes --allow-delete", "verify move"])(
  "%s says so once, asks whether it is the right one, and ends with 7 before it writes",
  async (words) => {
    buildAnew(0);
    stage().emulator.log.clear();
    const { exitCode, changes, diagnostics } = await stage().json(words);
    expect({ exitCode, changes }).toEqual({ exitCode: 7, changes: [] });
    expect(diagnostics[0]).toMatchObject({ code: "wrong-source" });
    expect(diagnostics[0]?.summary).toMatch(
      /^8 of 8 objects that were moved are gone at dev, and 8 of these stand there anew under other URNs: is http:\S+ \(dev\) the right source\?$/,
    );
    expect(stage().writes()).toEqual([]);
  },
);

test("what it advises pairs all of it by name, and makes nothing a second time", async () => {
  buildAnew(0);
  const { diagnostics } = await stage().json("diff move");
  const pair =
    /the pair's folder from mappings\/ \(([^)]+)\)/.exec(diagnostics[0]?.suggestion ?? "")?.[1] ?? "";
  rmSync(join(stage().folder, "mappings", pair), { recursive: true });
  const { summary } = await stage().json("sync move --yes");
  // Those that say more than a name say otherwise now: whose version is right is for a person.
  expect(summary).toMatchObject({ create: 0, adopt: 6, blocked: 2 });
  expect(stage().prod.terms.size).toBe(8);
});

test("what is made anew one by one, and what is only gone, goes its way", async () => {
  buildAnew(4);
  expect((await stage().json("diff move")).exitCode).toBe(0);
  const all = Array.from(stage().dev.terms.values(), ({ urn }) => urn);
  for (const urn of all) stage().dev.terms.delete(urn);
  seedTerm(stage().dev, { name: "Another" });
  expect((await stage().json("diff move")).summary).toMatchObject({ delete: 8 });
});

test("a plan that adopts nothing has answered", async () => {
  buildAnew(0);
  stage().plan({ select: { kinds: ["terms"] }, policy: { adopt: "never" } });
  expect((await stage().json("diff move")).summary).toMatchObject({ create: 8 });
});
