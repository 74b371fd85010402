import { expect, test } from "vitest";
import { useMovedTerms } from "./support/moved-terms.ts";

/** A target that is another one, or was reset, is one loud finding. */
const stage = useMovedTerms();

function loseAll(but: number): void {
  for (const urn of [...stage().prod.terms.values()].map((term) => term.urn).slice(but))
    stage().prod.terms.delete(urn);
}

test.each(["diff move", "sync move --yes", "apply move --yes", "verify move"])(
  "%s says so once, asks whether it is the right one, and ends with 7 before it writes",
  async (words) => {
    loseAll(0);
    stage().emulator.log.clear();
    const { exitCode, changes, diagnostics } = await stage().json(words);
    expect({ exitCode, changes }).toEqual({ exitCode: 7, changes: [] });
    expect(diagnostics[0]).toMatchObject({ code: "wrong-target" });
    expect(diagnostics[0]?.summary).toMatch(
      /^8 of 8 objects that were moved to prod are gone there: is http:\S+ \(prod\) the right target\?$/,
    );
    expect(diagnostics[1]?.summary).toMatch(/^gone: terms "\w+", .* and 3 more$/);
    expect(stage().writes()).toEqual([]);
    // Nor is each asked for by itself.
    expect(stage().emulator.log.entries.filter(({ path }) => /terms\/urn/.test(path))).toEqual([]);
  },
);

test("when only a few are gone each is told by itself", async () => {
  loseAll(5);
  const { exitCode, summary } = await stage().json("diff move");
  expect({ exitCode, manual: summary.manual }).toEqual({ exitCode: 0, manual: 3 });
});

test("a plan that says to create anew what is missing has answered", async () => {
  loseAll(0);
  stage().plan({ select: { kinds: ["terms"] }, policy: { missingTarget: "recreate" } });
  expect((await stage().json("sync move --yes")).summary).toMatchObject({ create: 8 });
  expect(stage().prod.terms.size).toBe(8);
});
