import { expect, test } from "vitest";
import { conclude } from "../../../src/engine/settle/conclude.ts";
import type { Verdict } from "../../../src/engine/settle/settler.ts";
import type { Doubt } from "../../../src/engine/settle/subtraction.ts";
import type { MovedKind } from "../../../src/kinds/kind.ts";
import type { OutcomeItem } from "../../../src/model/journal.ts";
import type { MappingEntry } from "../../../src/model/mapping.ts";
import { MappingTable } from "../../../src/model/mapping-table.ts";

const steps = {
  create: [
    { name: "create", effect: "creates" },
    { name: "publish", effect: "releases" },
  ],
  update: [
    { name: "patch", effect: "changes" },
    { name: "publish", effect: "releases" },
  ],
  remove: { name: "delete", effect: "removes" },
};
const kind = { name: "things", mode: "entity", ...steps } as unknown as MovedKind;
const overlay = { ...kind, mode: "overlay" } as unknown as MovedKind;

const row = (more: Partial<MappingEntry> = {}): MappingEntry => ({
  name: "A",
  target: "twin",
  origin: "adopted",
  run: "before",
  ...more,
});

interface Case {
  readonly step: "create" | "patch" | "publish" | "delete";
  readonly item?: Partial<Doubt["item"]>;
  readonly was?: MappingEntry;
  readonly says?: Exclude<Verdict, { state: "unknown" | "later" }>;
  readonly isRollback?: boolean;
  readonly of?: MovedKind;
}

/** What goes on record of it. */
async function concluded({ step, item, was, says, isRollback = false, of = kind }: Case) {
  const mapping = new MappingTable();
  if (was !== undefined) mapping.set("things", "A", was);
  const outcomes: OutcomeItem[] = [];
  const target = step === "create" ? {} : { target: "twin" };
  const doubt: Doubt = {
    op: "run/1",
    run: "run",
    kind: "things",
    step,
    item: { source: "A", name: "A", fingerprint: "sent", ...target, ...item },
    at: 0,
    reason: "no answer",
  };
  await conclude(of, doubt, says ?? { state: "done" }, {
    mapping,
    recorder: {
      run: "now",
      outcome: async (_kind: string, _op: string, items: readonly OutcomeItem[]) =>
        void outcomes.push(...items),
    } as never,
    rollbacks: new Set(isRollback ? ["run"] : []),
  });
  expect(outcomes).toHaveLength(1);
  return outcomes[0];
}

test("what has not happened leaves its row alone, and why goes on record", async () => {
  const was = row();
  const refused = { state: "refused", reason: "gone" } as const;
  expect(await concluded({ step: "patch", was, says: refused })).toEqual({
    source: "A",
    result: "not-done",
    reason: "gone",
  });
  expect(await concluded({ step: "patch", was, says: { state: "again" } })).toMatchObject({
    result: "not-done",
    reason: expect.stringContaining("next diff"),
  });
});

test("a publish leaves nothing to be done of its row, and gives nothing a row that has none", async () => {
  const was = row({ unfinished: "publish", over: "was", drifted: "theirs", targetFingerprint: "sent" });
  expect(await concluded({ step: "publish", was })).toEqual({
    source: "A",
    result: "done",
    target: "twin",
    entry: row({ targetFingerprint: "theirs", run: "now" }),
  });
  expect(await concluded({ step: "publish" })).toEqual({ source: "A", result: "done", entry: null });
  expect(await concluded({ step: "publish", of: overlay })).toMatchObject({ entry: null });
  expect(await concluded({ step: "publish", isRollback: true })).toMatchObject({ entry: null });
});

test("a publish of another twin than that of now says nothing of the row of now", async () => {
  const was = row({ target: "other", unfinished: "publish" });
  for (const isRollback of [false, true])
    expect(await concluded({ step: "publish", was, isRollback })).toEqual({
      source: "A",
      result: "done",
      entry: was,
    });
});

test("a deletion takes the row of what was deleted, and no other", async () => {
  expect(await concluded({ step: "delete", was: row() })).toMatchObject({ result: "done", entry: null });
  expect(await concluded({ step: "delete" })).toMatchObject({ entry: null });
  const was = row({ target: "other" });
  expect(await concluded({ step: "delete", was })).toMatchObject({ entry: was });
});

test("a creation has nothing of what it takes the place of but that it does", async () => {
  const was = row({ target: "former", keys: { one: "1" }, left: ["note"], targetFingerprint: "old" });
  const says = { state: "done", target: "fresh", keys: { two: "2" } } as const;
  expect(await concluded({ step: "create", was, says })).toEqual({
    source: "A",
    result: "done",
    target: "fresh",
    entry: {
      name: "A",
      target: "fresh",
      origin: "created",
      targetFingerprint: "sent",
      keys: { two: "2" },
      former: { target: "former", keys: { one: "1" } },
      unfinished: "publish",
      run: "now",
    },
  });
});

test("what a rollback makes again says what it was, whoever finds out that it has", async () => {
  const says = { state: "done", target: "fresh" } as const;
  const made = { step: "create", says, item: { former: "twin" }, isRollback: true } as const;
  expect(await concluded(made)).toMatchObject({ entry: { target: "fresh", former: { target: "twin" } } });
});

test("a change keeps what its row knows of the same twin, and remembers what is still to be done", async () => {
  const was = row({ keys: { one: "1", gone: "0" }, left: ["note"] });
  const item = {
    sourceFingerprint: "said",
    paired: { two: "2" },
    parted: ["gone"],
    over: "under",
    drifted: "theirs",
  };
  const says = { state: "done", target: "twin", keys: { three: "3" } } as const;
  expect(await concluded({ step: "patch", was, says, item })).toMatchObject({
    entry: {
      target: "twin",
      origin: "adopted",
      sourceFingerprint: "said",
      targetFingerprint: "sent",
      keys: { one: "1", two: "2", three: "3" },
      unfinished: "publish",
      over: "under",
      drifted: "theirs",
      run: "now",
    },
  });
});

test("a change of what had another twin, or none, is that of its own; of a rollback the row of now stays", async () => {
  const was = row({ target: "other", keys: { one: "1" }, origin: "created" });
  const found = await concluded({ step: "patch", was, of: overlay });
  expect(found).toMatchObject({
    entry: { target: "twin", origin: "paired", former: { target: "other", keys: { one: "1" } } },
  });
  expect((found as { entry: MappingEntry }).entry.keys).toBeUndefined();
  expect(await concluded({ step: "patch" })).toMatchObject({ entry: { target: "twin", origin: "explicit" } });
  expect(await concluded({ step: "patch", was, isRollback: true })).toMatchObject({ entry: was });
  expect(await concluded({ step: "patch", isRollback: true })).toMatchObject({ entry: null });
});
