import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { countsOf, recordOf, rowsStage } from "./support.ts";

class Killed extends Error {}

test("a row that an apply has left beside one that a rollback has is not taken back: a colleague's word on it is drift", async () => {
  const s = await rowsStage({
    source: [{ code: "FR", name: "France" }],
    target: [{ code: "FR", name: "Frankreich" }],
  });
  await s.apply();
  const dies = (when: (at: string) => boolean): { readonly reached: (at: string) => void } => ({
    reached(at) {
      if (when(at)) throw new Killed();
    },
  });
  // A rollback leaves FR in the draft, and somebody writes into that: it stays open.
  const back = s.world.migration(s.changes, { hooks: dies((at) => at === "send:after") });
  await expect(rollbackRun(back, { confirm: async () => true })).rejects.toThrow(Killed);
  const france = recordOf(s.target, "FR");
  if (france !== undefined) s.target.change(france, { member: true });
  // An apply brings a new row, and dies when it is published.
  seed.seedRecord(s.dev, s.source, { code: "DE", name: "a" });
  const isPublished = (): boolean => recordOf(s.target, "DE")?.published !== undefined;
  const hooks = dies((at) => at === "outcome:before" && isPublished());
  await expect(s.apply({}, { hooks })).rejects.toThrow(Killed);

  const made = recordOf(s.target, "DE");
  if (made !== undefined) seed.editRecord(s.target, made, { name: "theirs" });
  expect(countsOf(await s.apply())).toMatchObject({ drift: 1, update: 0, blocked: 1 });
  expect(s.published()["DE"]?.["name"]).toBe("theirs");
  // What the apply has made a rollback can take back, and the row beside it is a rollback's still.
  expect(countsOf(await s.apply())).toMatchObject({ drift: 1, update: 0, blocked: 1 });
});
