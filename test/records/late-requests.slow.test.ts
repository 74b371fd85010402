import { expect, test } from "vitest";
import type { Progress } from "../../src/engine/progress.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import * as seed from "../../src/emulator/seed.ts";
import type { Result } from "../../src/model/result.ts";
import { exitCodes } from "../../src/model/result.ts";
import { held } from "../doubts/support.ts";
import { crmProd, party, put, stage as mastersStage } from "./masters-stage.ts";
import type { RowsStage } from "./support.ts";
import { countsOf, diesAt, recordOf, rowsStage } from "./support.ts";

/** The service is still at work on what a run has sent when that dies, or loses the answer: nothing is sent again, or taken back, before. */

/** Milliseconds; the second is within the first. */
const [quietPeriodMs, late] = [400, 150];

async function stageOf(
  draftFilter: "absent" | "offered",
  options: Parameters<typeof rowsStage>[0],
): Promise<RowsStage> {
  const at = await rowsStage({ ...options, plan: { limits: { quietPeriodMs } } });
  at.prod.quirks.draftFilter = draftFilter;
  return at;
}

/** A run is killed while its request, the n-th of these, is on its way; that arrives late. */
async function killed(at: RowsStage, match: { readonly method: string; readonly path: string }, skip = 0) {
  at.world.emulator.faults.add({
    match: { tenant: "prod", ...match },
    when: { skip, times: 1 },
    effect: { type: "late-commit", ms: late },
  });
  expect(await diesAt("send:after", 1, (hooks) => at.apply({ allowDelete: true }, { hooks }))).toBe(true);
}

async function ended(at: RowsStage): Promise<void> {
  await at.world.emulator.idle();
  expect(at.target.open()).toEqual([]);
}

const change = { source: [{ code: "DE", name: "b" }], target: [{ code: "DE", name: "a" }] };

test.each(["absent", "offered"] as const)(
  "a change that arrives after its sender died leaves nothing in the draft, and nobody is taken for at work there (drafts: %s)",
  async (draftFilter) => {
    const at = await stageOf(draftFilter, change);
    // Where drafts cannot be read the first one looks.
    await killed(at, { method: "POST", path: "/draft/batch$/" }, draftFilter === "absent" ? 1 : 0);
    const waits: string[] = [];
    const report = (progress: Progress): void => {
      if (progress.type === "waiting") waits.push(progress.reason);
    };
    expect((await at.apply({}, { report })).exitCode).toBe(exitCodes.done);
    expect(waits).toEqual([
      "1 row of Countries in doubt: an answer was lost, and the request may still take effect",
    ]);
    await ended(at);
    const source = recordOf(at.source, "DE");
    if (source === undefined) throw new Error("the source has no DE");
    seed.editRecord(at.source, source, { name: "c" });
    expect((await at.apply()).exitCode).toBe(exitCodes.done);
    expect(at.published()).toEqual({ DE: { code: "DE", name: "c" } });
  },
);

test.each(["absent", "offered"] as const)(
  "nor does one that a run sent once more which went on with a killed one, and was killed as well (drafts: %s)",
  async (draftFilter) => {
    const at = await stageOf(draftFilter, change);
    // It stands in the draft, and that is on record.
    expect(await diesAt("outcome:after", 1, (hooks) => at.apply({}, { hooks }))).toBe(true);
    await killed(at, { method: "POST", path: "/draft/batch$/" }, draftFilter === "absent" ? 1 : 0);
    expect((await at.apply()).exitCode).toBe(exitCodes.done);
    await ended(at);
    expect(at.published()).toEqual({ DE: { code: "DE", name: "b" } });
  },
);

const alike = { code: "DE", name: "b" };
const ofTarget = { code: "XX", name: "of the target" };

test.each(["absent", "offered"] as const)(
  "a deletion that arrives after its sender died, and that the plan asks for no more, does not stand in the draft (drafts: %s)",
  async (draftFilter) => {
    const at = await stageOf(draftFilter, { source: [alike], target: [alike, ofTarget], remove: true });
    await killed(at, { method: "DELETE", path: "/draft/" });
    at.changes = { ...at.changes, records: { ...at.changes.records, remove: false } };
    expect((await at.apply()).exitCode).toBe(exitCodes.done);
    await ended(at);
    expect(at.published()).toEqual({ DE: alike, XX: ofTarget });
  },
);

/** A run that may delete has the deletion of XX in the draft, and is refused when it would say yes to it itself. */
async function waitingToBeApproved() {
  const options = { source: [alike], target: [alike, ofTarget], remove: true, publish: "approve" } as const;
  const at = await stageOf("absent", options);
  const refusal = { type: "status", code: 409 } as const;
  const match = { tenant: "prod", path: "/approve$/" };
  at.world.emulator.faults.add({ match, when: { times: 1 }, effect: refusal });
  expect((await at.apply({ allowDelete: true })).exitCode).toBe(exitCodes.partial);
  const record = recordOf(at.target, "XX");
  if (record?.state !== "DELETED") throw new Error("the deletion does not stand in the draft");
  return { at, record };
}

test("a deletion that waited to be approved is left where a colleague changes the row since, and is not waited for again and again", async () => {
  const { at, record } = await waitingToBeApproved();
  seed.editRecord(at.target, record, { name: "theirs" });
  const after = await at.apply();
  expect(after.diagnostics.map(({ summary }) => summary)).toEqual([
    "an interrupted run had begun to change 1 row (XX), and somebody has changed it since: nothing more was sent, what stands there now is compared; what is in the draft is to be looked at in the web application",
  ]);
  // That it is at the target alone is told, and takes leave to delete.
  expect(countsOf(after)).toMatchObject({ inDoubt: 0, manual: 0, delete: 1, done: 0 });
  expect(at.published()["XX"]).toMatchObject({ name: "theirs" });
  expect((await at.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(at.published()).toEqual({ DE: alike });
  await ended(at);
});

test("and one whose draft they discard is drafted again", async () => {
  const { at, record } = await waitingToBeApproved();
  at.target.setState(record, "UNCHANGED");
  expect((await at.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(at.published()).toEqual({ DE: alike });
  await ended(at);
});

test("who is interrupted while that is waited for has done nothing, and the next run sees to it", async () => {
  const at = await stageOf("absent", { source: [alike], target: [alike, ofTarget], remove: true });
  await killed(at, { method: "DELETE", path: "/draft/" });
  at.changes = { ...at.changes, records: { ...at.changes.records, remove: false } };
  const stop = new AbortController();
  const report = ({ type }: Progress): void => {
    if (type === "waiting") setTimeout(() => stop.abort(), late);
  };
  await expect(at.apply({}, { stop: stop.signal, report })).rejects.toMatchObject({ name: "AbortError" });
  expect((await at.apply()).exitCode).toBe(exitCodes.done);
  await ended(at);
});

test.each(["absent", "offered"] as const)(
  "what a colleague publishes while it is waited whether a lost change arrives is not written over (drafts: %s)",
  async (draftFilter) => {
    const at = await stageOf(draftFilter, change);
    const { emulator } = at.world;
    emulator.faults.add({
      match: { tenant: "prod", method: "POST", path: "/draft/batch$/" },
      when: { skip: draftFilter === "absent" ? 1 : 0, times: 1 },
      effect: { type: "drop-before-commit" },
    });
    emulator.on(({ phase, entry }) => {
      const record = recordOf(at.target, "DE");
      if (phase === "answered" && entry.fault === "drop-before-commit" && record !== undefined)
        seed.editRecord(at.target, record, { name: "theirs" });
    });
    const result = await at.apply();
    expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.partial, { done: 0, failed: 1 }]);
    await ended(at);
    expect(at.published()).toEqual({ DE: { code: "DE", name: "theirs" } });
  },
);

test("nor is what stands in a colleague's draft published where a lost change shows by then", async () => {
  const at = await stageOf("offered", change);
  const { emulator } = at.world;
  emulator.faults.add({
    match: { tenant: "prod", method: "POST", path: "/draft/batch$/" },
    when: { times: 1 },
    effect: { type: "drop-after-commit" },
  });
  emulator.on(({ phase, entry }) => {
    const record = recordOf(at.target, "DE");
    if (phase !== "answered" || entry.fault !== "drop-after-commit" || record === undefined) return;
    // Whoever publishes all drafts publishes ours with them.
    at.prod.referenceData.publish(at.target, [record], "at-once");
    at.target.change(record, { name: "not yet" });
  });
  expect((await at.apply()).exitCode).toBe(exitCodes.done);
  expect(at.published()).toEqual({ DE: { code: "DE", name: "b" } });
  expect(at.target.open()).toMatchObject([{ draft: { name: "not yet" } }]);
});

test.each(["absent", "offered"] as const)(
  "nor is a row deleted that they change while it is waited whether its deletion arrives (drafts: %s)",
  async (draftFilter) => {
    const at = await stageOf(draftFilter, { source: [alike], target: [alike, ofTarget], remove: true });
    const { emulator } = at.world;
    emulator.faults.add({
      match: { tenant: "prod", method: "DELETE" },
      when: { times: 1 },
      effect: { type: "drop-before-commit" },
    });
    emulator.on(({ phase, entry }) => {
      const record = recordOf(at.target, "XX");
      if (phase === "answered" && entry.fault === "drop-before-commit" && record !== undefined)
        seed.editRecord(at.target, record, { name: "theirs" });
    });
    const result = await at.apply({ allowDelete: true });
    expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.partial, { deleted: 0, failed: 1 }]);
    await ended(at);
    expect(at.published()).toEqual({ DE: alike, XX: { ...ofTarget, name: "theirs" } });
  },
);

/** A colleague changes and publishes this row while its request, the n-th of these, is on its way; that arrives behind it. */
function overtaken(at: RowsStage, code: string, match: { method: string; path: string }, skip = 0): void {
  const { emulator } = at.world;
  emulator.faults.add({
    match: { tenant: "prod", ...match },
    when: { skip, times: 1 },
    effect: { type: "late-commit", ms: late },
  });
  const off = emulator.on(({ entry }) => {
    const record = recordOf(at.target, code);
    if (entry.fault !== "late-commit" || record === undefined) return;
    off();
    seed.editRecord(at.target, record, { name: "theirs" });
  });
}

const deletion = { method: "DELETE", path: "/draft/" };
const theirs = { DE: alike, XX: { ...ofTarget, name: "theirs" } };

test.each(["absent", "offered"] as const)(
  "a deletion that arrives behind a colleague's change does not stand in the draft (drafts: %s)",
  async (draftFilter) => {
    const at = await stageOf(draftFilter, { source: [alike], target: [alike, ofTarget], remove: true });
    overtaken(at, "XX", deletion);
    const result = await at.apply({ allowDelete: true });
    expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.partial, { deleted: 0, failed: 1 }]);
    await ended(at);
    expect(at.published()).toEqual(theirs);
  },
);

test.each(["absent", "offered"] as const)(
  "nor does one whose sender died, and that the next run may send again or not (drafts: %s)",
  async (draftFilter) => {
    const at = await stageOf(draftFilter, { source: [alike], target: [alike, ofTarget], remove: true });
    overtaken(at, "XX", deletion);
    expect(await diesAt("send:after", 1, (hooks) => at.apply({ allowDelete: true }, { hooks }))).toBe(true);
    const result = await at.apply();
    expect(result.diagnostics).toMatchObject([
      { code: "row-note", summary: expect.stringContaining("somebody has changed it since") },
    ]);
    await ended(at);
    expect(at.published()).toEqual(theirs);
  },
);

test.each(["absent", "offered"] as const)(
  "where it cannot be taken back a person is asked, until they have discarded it (drafts: %s)",
  async (draftFilter) => {
    const at = await stageOf(draftFilter, { source: [alike], target: [alike, ofTarget], remove: true });
    at.prod.quirks.deletedDrafts = "kept";
    overtaken(at, "XX", deletion);
    const why =
      "the row XX: somebody has changed it since its deletion was sent, and that may stand in its draft";
    const told = ({ diagnostics }: Result) => diagnostics.map(({ summary }) => summary).join();
    const first = await at.apply({ allowDelete: true });
    expect([first.exitCode, countsOf(first)]).toMatchObject([exitCodes.inDoubt, { deleted: 0, inDoubt: 1 }]);
    expect(told(first)).toContain(why);
    for (const allowDelete of [false, true]) {
      const again = await at.apply({ allowDelete });
      expect([again.exitCode, told(again)]).toEqual([exitCodes.inDoubt, expect.stringContaining(why)]);
    }
    expect(at.published()).toEqual(theirs);
    const record = recordOf(at.target, "XX");
    if (record === undefined) throw new Error("the target has no XX");
    at.target.setState(record, "UNCHANGED");
    at.changes = { ...at.changes, records: { ...at.changes.records, remove: false } };
    expect((await at.apply()).exitCode).toBe(exitCodes.done);
    await ended(at);
    expect(at.published()).toEqual(theirs);
  },
);

const mayStand = "what was sent may stand in its draft at the target: look for it in the web application";

test.each(["absent", "offered"] as const)(
  "a change that arrives behind a colleague's is told to stand in the draft (drafts: %s)",
  async (draftFilter) => {
    const at = await stageOf(draftFilter, change);
    const skip = draftFilter === "absent" ? 1 : 0;
    overtaken(at, "DE", { method: "POST", path: "/draft/batch$/" }, skip);
    const result = await at.apply();
    expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.partial, { done: 0, failed: 1 }]);
    expect(result.diagnostics.map(({ summary }) => summary)).toEqual([
      `the row DE: somebody has changed it since it was sent: the next run looks at it; ${mayStand}`,
    ]);
    expect(at.published()).toEqual({ DE: { code: "DE", name: "theirs" } });
  },
);

/** A run is killed while its first change is on its way, and the service comes to that when it is let. */
async function killedBefore(at: RowsStage, draftFilter: "absent" | "offered"): Promise<() => void> {
  const { emulator } = at.world;
  emulator.faults.add({
    match: { tenant: "prod", method: "POST", path: "/draft/batch$/" },
    when: { skip: draftFilter === "absent" ? 1 : 0, times: 1 },
    effect: { type: "late-commit", ms: 0 },
  });
  const arrive = held(at);
  expect(await diesAt("send:after", 1, (hooks) => at.apply({}, { hooks }))).toBe(true);
  return arrive;
}

function rename({ target }: Pick<RowsStage, "target">, code: string, name: string): void {
  const record = recordOf(target, code);
  if (record === undefined) throw new Error(`there is no ${code}`);
  seed.editRecord(target, record, { name });
}

test.each(["absent", "offered"] as const)(
  "and where its sender died, by the run that waited for it (drafts: %s)",
  async (draftFilter) => {
    const at = await stageOf(draftFilter, change);
    const arrive = await killedBefore(at, draftFilter);
    const report = ({ type }: Progress): void => {
      if (type !== "waiting") return;
      rename(at, "DE", "theirs");
      arrive();
    };
    const result = await at.apply({}, { report });
    expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.partial, { drift: 1 }]);
    expect(result.diagnostics).toMatchObject([
      { code: "row-note", summary: `the row DE: somebody has changed it since it was sent; ${mayStand}` },
    ]);
    await at.world.emulator.idle();
    expect(at.published()).toEqual({ DE: { code: "DE", name: "theirs" } });
    expect(at.target.open()).toMatchObject([{ draft: { name: "b" } }]);
  },
);

test.each(["absent", "offered"] as const)(
  "and what they have published is not written over before it has arrived (drafts: %s)",
  async (draftFilter) => {
    const at = await stageOf(draftFilter, change);
    const arrive = await killedBefore(at, draftFilter);
    rename(at, "DE", "theirs");
    rename({ target: at.source }, "DE", "c");
    at.changes = { ...at.changes, policy: { drift: "overwrite", conflict: "source-wins" } };
    const report = ({ type }: Progress): void => {
      if (type === "waiting") arrive();
    };
    const { exitCode, diagnostics } = await at.apply({}, { report });
    arrive();
    await at.world.emulator.idle();
    expect([exitCode, diagnostics.map(({ code }) => code)]).toEqual([
      exitCodes.partial,
      expect.arrayContaining(["row-note", "row-refused"]),
    ]);
    expect(at.published()).toEqual({ DE: { code: "DE", name: "theirs" } });
  },
);

test("nor is a record of master data, which the late change would be written over", async () => {
  const at = await mastersStage([party]);
  put(at.dev, "1", { src_name: "a" });
  const { limits, policy } = at.plan;
  at.plan = {
    ...at.plan,
    limits: { ...limits, quietPeriodMs },
    policy: { ...policy, conflict: "source-wins" },
  };
  expect((await at.apply()).exitCode).toBe(exitCodes.done);
  put(at.dev, "1", { src_name: "b" });
  const { emulator } = at.made;
  emulator.faults.add({
    match: { method: "PUT" },
    when: { times: 1 },
    effect: { type: "late-commit", ms: 0 },
  });
  const arrive = held({ world: at.made });
  expect(await diesAt("send:after", 1, (hooks) => at.apply({}, { hooks }))).toBe(true);
  put(at.prod, "1", { src_name: "theirs" });
  put(at.dev, "1", { src_name: "c" });
  let waits = 0;
  const report = ({ type }: Progress): void => {
    if (type !== "waiting") return;
    waits += 1;
    arrive();
  };
  expect((await at.apply({}, { report })).exitCode).toBe(exitCodes.done);
  expect(waits).toBe(1);
  arrive();
  await emulator.idle();
  expect((await at.apply()).exitCode).toBe(exitCodes.done);
  expect(books.findInstance(at.prod, "party", crmProd, "1")?.source).toMatchObject({ src_name: "c" });
});
