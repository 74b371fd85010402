import { expect, test } from "vitest";
import { exitCodes } from "../../src/model/result.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { seedTerm } from "../diff/support/content.ts";
import { apply, stage } from "../diff/support/run.ts";
import { editTerm } from "../diff/support/web.ts";
import { lose, onArrival, routes } from "./support.ts";

/** A creation that has no answer arrives late, and somebody makes just the same before that. */

const plan = { select: { kinds: ["terms"] }, limits: { quietPeriodMs: 400 } };

test("theirs is not taken for ours where ours shows once the rest of the batch is waited for: a person is asked", async () => {
  const at = await stage();
  for (const name of ["Email", "Phone"]) seedTerm(at.source, name);
  lose(at, routes.createTerms, { type: "late-commit", ms: 150 });
  onArrival(at, routes.createTerms, () => void seedTerm(at.target, "Email"));
  const result = await apply(at, plan);
  expect(result.exitCode).toBe(exitCodes.inDoubt);
  const open = result.changes.find(({ outcome }) => outcome === "in-doubt");
  expect(open?.source?.name).toBe("Email");
  expect(open?.diagnostics.map(({ summary }) => summary).join()).toContain(
    "2 objects at the target look like 1 that were sent: somebody else created the same",
  );
  const names = at.world.emulator.tenant("prod").terms;
  const count = (name: string): number =>
    [...names.values()].filter(({ published }) => published?.name === name).length;
  expect([count("Email"), count("Phone")]).toEqual([2, 1]);
  const asked = await resolveDoubts(at.world.migration(plan), { decisions: [] });
  expect(asked.exitCode).toBe(exitCodes.inDoubt);
  // A second run asks again, and makes nothing.
  expect((await apply(at, plan)).exitCode).toBe(exitCodes.inDoubt);
  expect(names.size).toBe(3);
});

test("nor where somebody changes ours as it comes: of two of that name nobody knows which is ours", async () => {
  const at = await stage();
  for (const name of ["Email", "Phone"]) seedTerm(at.source, name);
  lose(at, routes.createTerms, { type: "late-commit", ms: 150 });
  const { terms } = at.world.emulator.tenant("prod");
  let theirs = "";
  onArrival(at, routes.createTerms, () => {
    theirs = seedTerm(at.target, "Email");
  });
  at.world.emulator.on(({ phase, entry }) => {
    if (phase !== "after-commit" || `${entry.method} ${entry.path}` !== routes.createTerms) return;
    for (const { urn, published } of terms.values())
      if (urn !== theirs && published?.name === "Email")
        editTerm(at.target, urn, { description: "Somebody's" });
  });
  const result = await apply(at, plan);
  expect(result.exitCode).toBe(exitCodes.inDoubt);
  const open = result.changes.find(({ outcome }) => outcome === "in-doubt");
  expect(open?.source?.name).toBe("Email");
  expect(open?.diagnostics.map(({ summary }) => summary).join()).toContain(
    "something else that is new there has the same natural key: somebody may have changed the one and made the other",
  );
  expect(terms.get(theirs)?.published?.description).toBe("What Email means");
  // A second run asks again, and makes nothing.
  expect((await apply(at, plan)).exitCode).toBe(exitCodes.inDoubt);
  expect(terms.size).toBe(3);
});
