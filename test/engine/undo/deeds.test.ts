import { describe, expect, test } from "vitest";
import type { Undo } from "../../../src/engine/undo/deed.ts";
import { asNew, asSeen, Deeds, undoAll, undoPatch } from "../../../src/engine/undo/deeds.ts";
import type { Json } from "../../../src/model/json.ts";
import type { IntentItem, JournalRecord, OutcomeItem } from "../../../src/model/journal.ts";

const [k1, k2, k3, t1, t2] = [1, 2, 3, 4, 5].map(
  (number) => `00000000-0000-4000-8000-00000000000${number}`,
) as [string, string, string, string, string];

let count = 0;
function step(
  kind: string,
  name: string,
  items: readonly IntentItem[],
  outcomes: readonly OutcomeItem[],
): JournalRecord[] {
  count += 1;
  const op = `op ${count}`;
  const at = "2026-01-01T00:00:00Z";
  return [
    { type: "intent", run: "run", op, at, kind, step: name, items },
    { type: "outcome", op, at, items: outcomes },
  ];
}

function done(source: string, target: string, keys?: Record<string, string>): OutcomeItem {
  const entry = { name: source, target, origin: "created" as const, ...(keys === undefined ? {} : { keys }) };
  return { source, result: "done", target, entry };
}

function deeds(...records: readonly JournalRecord[]): readonly string[] {
  const all = new Deeds(
    () => true,
    (kind) => kind === "term-assignments",
  );
  for (const record of records) all.feed(record);
  return all
    .newestFirst()
    .map(({ what, source, target, left }) => `${what} ${source} -> ${target} (${left ?? "-"})`);
}

describe("what a run did", () => {
  const item = (source: string, fingerprint: string): IntentItem => ({ source, name: source, fingerprint });

  test("newest first, one deed an object", () => {
    expect(
      deeds(
        ...step("rules", "create", [item("a", "p1"), item("b", "p2")], [done("a", "A"), done("b", "B")]),
        ...step("terms", "patch", [{ ...item("c", "p3"), target: "C" }], [done("c", "C")]),
      ),
    ).toEqual(["changed c -> C (p3)", "created b -> B (p2)", "created a -> A (p1)"]);
  });

  test("what was to be deleted twice, had no answer twice and is there has been changed, as before the first of the two", () => {
    const all = new Deeds();
    const at = "2026-01-01T00:00:00Z";
    const removal = (op: string): JournalRecord[] => [
      { type: "intent", run: "run", op, at, kind: "rules", step: "delete", effect: "removes", items: [gone] },
      { type: "outcome", op, at, items: [{ source: "a", result: "doubt", reason: "lost" }] },
      { type: "outcome", op, at, items: [{ source: "a", result: "not-done", reason: "looked at" }] },
    ];
    const gone: IntentItem = { source: "a", name: "a", target: "A" };
    const patched = step("rules", "patch", [{ ...item("a", "p1"), target: "A" }], [done("a", "A")]);
    for (const record of [...patched, ...removal("x"), ...removal("y")]) all.feed(record);
    const seen = (isThere: boolean): readonly string[] =>
      asSeen(all.newestFirst(), () => isThere).map(({ what }) => what);
    expect([seen(true), seen(false)]).toEqual([["changed"], ["deleted"]]);
  });

  test("the publishing of what was created or patched belongs to it", () => {
    expect(
      deeds(
        ...step("dashboards", "create", [item("a", "p1")], [done("a", "A")]),
        ...step("dashboards", "publish", [{ source: "a", name: "a", target: "A" }], [done("a", "A")]),
        ...step("rules", "patch", [item("b", "p2")], [done("b", "B")]),
        ...step("rules", "publish", [{ source: "b", name: "b", target: "B" }], [done("b", "B")]),
      ),
    ).toEqual(["changed b -> B (p2)", "created a -> A (p1)"]);
  });

  test("a second pass belongs to the create, and what it left is what counts", () => {
    expect(
      deeds(
        ...step("terms", "create", [item("a", "without")], [done("a", "A")]),
        ...step("terms", "patch", [item("a", "whole")], [done("a", "A")]),
      ),
    ).toEqual(["created a -> A (whole)"]);
  });

  describe("a delete that is said not to have happened", () => {
    const gone = { ...item("a", "p1"), target: "A" };
    const refused: OutcomeItem = { source: "a", result: "not-done", reason: "refused" };
    const doubt: OutcomeItem = { source: "a", result: "doubt", reason: "no answer" };
    const begun = (run: string): JournalRecord =>
      ({ type: "run", run, at: "2026-01-01T00:00:00Z", command: "apply", plan: "p", tool: "t" }) as never;

    test("by the service itself has not: whoever deletes it after that is somebody else", () => {
      expect(deeds(begun("run"), ...step("terms", "delete", [gone], [refused]))).toEqual([]);
    });

    test("after its answer was lost may have, and counts where it is gone", () => {
      const all = deeds(begun("run"), ...step("terms", "delete", [gone], [doubt, refused]));
      expect(all).toEqual(["deleted a -> A (-)"]);
    });

    test("which is no word about what is not a delete", () => {
      const made = step("terms", "create", [item("a", "p1")], [doubt, refused]);
      expect(deeds(begun("run"), ...made)).toEqual([]);
    });

    test("by the run that came after its own was killed may have, too", () => {
      const [intent, outcome] = step("terms", "delete", [gone], [refused]);
      if (intent === undefined || outcome === undefined) throw new Error("a step has both");
      expect(deeds(begun("run"), intent, begun("next"), outcome)).toEqual(["deleted a -> A (-)"]);
    });
  });

  test("what was forgotten with a thing that was deleted is what this run has put down, and no other", () => {
    const forgotten = (run: string, kind: string): JournalRecord =>
      ({ type: "entry", run, at: "2026-01-01T00:00:00Z", kind, source: "a", entry: null }) as never;
    const all = new Deeds((run) => run === "run");
    for (const record of [
      ...step(
        "sql-items",
        "delete",
        [{ ...item("a", "p1"), target: "A" }],
        [{ source: "a", result: "done", entry: null }],
      ),
      forgotten("run", "stewardship"),
      forgotten("another", "item-metadata"),
    ])
      all.feed(record);
    expect(all.newestFirst().map(({ what, saidOf }) => [what, saidOf])).toEqual([
      ["deleted", ["stewardship"]],
    ]);
  });

  test("what one source object stood for after the other are deeds of their own", () => {
    const all = new Deeds();
    const records = [
      ...step("terms", "create", [item("a", "p1")], [done("a", "A")]),
      ...step("terms", "patch", [{ ...item("a", "p2"), target: "B", before: "p0" }], [done("a", "B")]),
    ];
    for (const record of records) all.feed(record);
    expect(all.newestFirst()).toEqual([
      expect.objectContaining({ what: "changed", target: "B", before: "p0" }),
      expect.objectContaining({ what: "created", target: "A", isFormer: true }),
    ]);
  });

  test("a publish of an earlier run's draft alone is nothing that could be taken back", () => {
    expect(deeds(...step("rules", "publish", [item("a", "p")], [done("a", "A")]))).toEqual([]);
  });

  test("assignments and deletes are told apart", () => {
    expect(
      deeds(
        ...step("term-assignments", "assign", [item("a", "p1")], [done("a", "A")]),
        ...step(
          "rules",
          "delete",
          [{ source: "b", name: "b", target: "B", undo: {} }],
          [{ source: "b", result: "done", entry: null }],
        ),
      ),
    ).toEqual(["deleted b -> B (-)", "assigned a -> A (p1)"]);
  });

  test("what did not happen, is in doubt or was abandoned is no deed", () => {
    const items = ["a", "b", "c", "d"].map((source) => item(source, "p"));
    const reason = "lost";
    expect(
      deeds(
        ...step("rules", "create", items, [
          { source: "a", result: "not-done", reason },
          { source: "b", result: "doubt", reason },
          { source: "c", result: "abandoned", reason },
          done("d", "D"),
        ]),
      ),
    ).toEqual(["created d -> D (p)"]);
  });

  test("a doubt that was settled later is one", () => {
    const [intent, outcome] = step(
      "rules",
      "create",
      [item("a", "p")],
      [{ source: "a", result: "doubt", reason: "lost" }],
    );
    if (intent === undefined || outcome?.type !== "outcome") throw new Error("two records were expected");
    expect(deeds(intent, outcome, { ...outcome, items: [done("a", "A")] })).toEqual(["created a -> A (p)"]);
  });

  test("an outcome without its intent, and records of other sorts, are passed over", () => {
    const [, outcome] = step("rules", "create", [item("a", "p")], [done("a", "A")]);
    const entry: JournalRecord = { type: "entry", run: "run", kind: "rules", source: "a", entry: null };
    expect(outcome === undefined ? [] : deeds(outcome, entry)).toEqual([]);
  });

  test("a deed knows the keys that the service assigned, and the intent with what takes it back", () => {
    const all = new Deeds();
    const intent = { ...item("a", "p"), undo: { name: "before" } };
    for (const record of step("rules", "patch", [intent], [done("a", "A", { [k1]: t1 })])) all.feed(record);
    for (const record of step("rules", "publish", [item("a", "p")], [done("a", "A", { [k1]: t1 })]))
      all.feed(record);
    expect(all.newestFirst()).toMatchObject([{ keys: { [k1]: t1 }, intent, kind: "rules" }]);
  });
});

/** What is known of a term that runs have written, each of which found that there and left this. */
function writtenBy(
  ...words: readonly (readonly [
    run: string,
    step: "create" | "patch",
    found: string | undefined,
    left: string,
  ])[]
) {
  const all = new Deeds();
  for (const [run, name, before, fingerprint] of words) {
    const what =
      name === "create" ? {} : { target: "A", undo: { name: before ?? null }, body: { name: fingerprint } };
    const found = before === undefined ? {} : { before };
    const records = step(
      "terms",
      name,
      [{ source: "a", name: "a", fingerprint, ...what, ...found }],
      [done("a", "A")],
    );
    for (const record of records) all.feed(record.type === "intent" ? { ...record, run } : record);
  }
  const [deed] = all.newestFirst();
  return { isTouchedBetween: deed?.isTouchedBetween, touched: deed?.undos.map(({ touched }) => touched) };
}

describe("somebody who was there between two runs", () => {
  const made = ["one", "create", undefined, "p1"] as const;
  const changed = ["one", "patch", "p0", "p1"] as const;

  test("is known of what was made, whichever runs come after it", () => {
    const second = ["two", "patch", "theirs", "p2"] as const;
    const third = ["three", "patch", "p2", "p3"] as const;
    for (const words of [
      [made, second],
      [made, second, third],
    ])
      expect(writtenBy(...words).isTouchedBetween).toBe(true);
  });

  test("is known of the change that they have touched", () => {
    const second = ["two", "patch", "theirs", "p2"] as const;
    const third = ["three", "patch", "p2", "p3"] as const;
    expect(writtenBy(changed, second, third).touched).toEqual([undefined, undefined, { name: "p1" }]);
  });

  test("was not there where a run finds what the one before it left, in what a run itself does, or where nobody has looked", () => {
    for (const next of [
      ["two", "patch", "p1", "p2"],
      ["one", "patch", "theirs", "p2"],
      ["two", "patch", undefined, "p2"],
    ] as const) {
      expect(writtenBy(made, next).isTouchedBetween).toBeUndefined();
      expect(writtenBy(changed, next).touched).toEqual([undefined, undefined]);
    }
  });
});

describe("what several runs did in one journal", () => {
  const item = (fingerprint: string, before: string, undo: IntentItem["undo"]): IntentItem => ({
    source: "a",
    name: "a",
    fingerprint,
    before,
    ...(undo === undefined ? {} : { undo }),
  });
  const all = (...records: readonly JournalRecord[]): Deeds => {
    const found = new Deeds();
    for (const record of records) found.feed(record);
    return found;
  };

  test("two changes of one object are one deed, with both reverse patches, the newest first", () => {
    const [deed] = all(
      ...step("terms", "patch", [item("p2", "p1", { name: "first" })], [done("a", "A")]),
      ...step("terms", "patch", [item("p3", "p2", { name: "second" })], [done("a", "A")]),
    ).newestFirst();
    expect(deed).toMatchObject({ what: "changed", before: "p1", left: "p3" });
    expect(deed?.undos.map(({ patch }) => patch)).toEqual([{ name: "second" }, { name: "first" }]);
  });

  test("what one made and another took away again is nothing to take back", () => {
    const gone: OutcomeItem = { source: "a", result: "done", entry: null };
    const records = [
      ...step("terms", "create", [{ source: "a", name: "a" }], [done("a", "A")]),
      ...step("terms", "delete", [{ source: "a", name: "a", target: "A", undo: {} }], [gone]),
    ];
    expect(all(...records).newestFirst()).toEqual([]);
  });

  test("runs that are not meant are passed over", () => {
    const deeds = new Deeds((run) => run !== "run");
    for (const record of step("terms", "create", [{ source: "a", name: "a" }], [done("a", "A")]))
      deeds.feed(record);
    expect(deeds.newestFirst()).toEqual([]);
  });
});

describe("several reverse patches at once", () => {
  const undo = (patch: Json, keys: Record<string, string> = {}): Undo => ({ patch, keys });

  test("one goes as it is", () => {
    expect(undoAll([undo({ name: "before" })], { name: "now" })).toEqual({ name: "before" });
  });

  test("none, or one that is not on record, cannot be taken back", () => {
    expect(undoAll([], {})).toBeUndefined();
    expect(undoAll([undo({ name: "x" }), { patch: undefined, keys: {} }], {})).toBeUndefined();
  });

  test("what only one of them names is named once, and the oldest has the last word", () => {
    const now = { name: "3", text: "new", same: 1 };
    expect(undoAll([undo({ name: "2" }), undo({ name: "1", text: "old" })], now)).toEqual({
      name: "1",
      text: "old",
    });
  });

  test("a field that was taken away and set anew has nothing left of the new one", () => {
    const now = { schedule: { cron: "b", zone: "UTC" } };
    const patches = [undo({ schedule: null }), undo({ schedule: { cron: "a" } })];
    expect(undoAll(patches, now)).toEqual({ schedule: { cron: "a", zone: null } });
  });

  test("what a newer one brings back, an older one finds under its new key", () => {
    const patches = [
      undo({ parts: { [`new_${t1}`]: { value: 2 } } }),
      undo({ parts: { [t1]: { value: 1 } } }),
    ];
    expect(undoAll(patches, { parts: {} })).toEqual({ parts: { [`new_${t1}`]: { value: 1 } } });
  });

  test("a part that was added goes, one that was taken away comes", () => {
    const patches = [
      undo({ parts: { [`new_${k1}`]: null } }, { [k1]: t1 }),
      undo({ parts: { [`new_${t2}`]: { value: 1 } } }),
    ];
    expect(undoAll(patches, { parts: { [t1]: { value: 9 } } })).toEqual({
      parts: { [t1]: null, [`new_${t2}`]: { value: 1 } },
    });
  });
});

describe("a reverse patch", () => {
  test("of plain fields goes as it is", () => {
    const undo = { name: "before", description: null, schedule: { enabled: false, priority: null } };
    expect(undoPatch(undo, {})).toEqual(undo);
  });

  test("takes what was added away under the key that it was given", () => {
    expect(undoPatch({ parts: { [`new_${k1}`]: null } }, { [k1]: t1 })).toEqual({ parts: { [t1]: null } });
  });

  test("leaves the temporary key where none was given: the service then refuses it, and nobody is hurt", () => {
    expect(undoPatch({ parts: { [`new_${k1}`]: null } }, {})).toEqual({ parts: { [`new_${k1}`]: null } });
  });

  test("brings what was removed back as new, with everything below it", () => {
    const undo = { parts: { [`new_${t1}`]: { value: 1, inner: { [t2]: { name: "x" } } } } };
    expect(undoPatch(undo, {})).toEqual({
      parts: { [`new_${t1}`]: { value: 1, inner: { [`new_${t2}`]: { name: "x" } } } },
    });
  });

  test("changes parts that stayed under the key that they have", () => {
    const undo = { parts: { [t1]: { value: 80, inner: { [`new_${k2}`]: null } } } };
    expect(undoPatch(undo, { [k2]: t2 })).toEqual({ parts: { [t1]: { value: 80, inner: { [t2]: null } } } });
  });

  test("keeps names that every object inherits", () => {
    const undo = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}') as Record<string, never>;
    expect(JSON.stringify(undoPatch(undo, {}))).toBe('{"__proto__":{"a":1},"constructor":2}');
  });
});

describe("a body as new", () => {
  test("has every sub-entity under a temporary key, and what names one follows", () => {
    const body = {
      name: "Monitor",
      joins: { [k1]: { pairs: { [k2]: { local: "x" } } } },
      instances: { [k3]: { joinConfigurationKey: k1, other: "11111111-1111-4111-8111-111111111111" } },
      list: [{ [k2]: {} }, k1, 7, null],
    };
    expect(asNew(body)).toEqual({
      name: "Monitor",
      joins: { [`new_${k1}`]: { pairs: { [`new_${k2}`]: { local: "x" } } } },
      instances: {
        [`new_${k3}`]: { joinConfigurationKey: `new_${k1}`, other: "11111111-1111-4111-8111-111111111111" },
      },
      list: [{ [`new_${k2}`]: {} }, `new_${k1}`, 7, null],
    });
  });

  test("keeps keys that are temporary already, and objects that are no maps of sub-entities", () => {
    const body = { parts: { [`new_${k1}`]: {} }, mixed: { [k2]: {}, name: "x" } };
    expect(asNew(body)).toEqual(body);
  });

  test.each([null, true, 7, "text", []])("%j is itself", (value) => {
    expect(asNew(value)).toEqual(value);
  });
});
