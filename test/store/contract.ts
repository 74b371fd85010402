import { keptRun } from "./kept-run.ts";
import { describe, expect, it } from "vitest";
import type { IntentRecord, JournalRecord, RunRecord } from "../../src/model/journal.ts";
import type { MappingEntry } from "../../src/model/mapping.ts";
import { MappingTable } from "../../src/model/mapping-table.ts";
import type { Holder, Lease, SnapshotSummary, Store } from "../../src/store/store.ts";
import type { AppliedTree } from "../../src/store/index.ts";
import { AbandonedList, DecidedList, StoreError } from "../../src/store/index.ts";
import { collect, parties, tool } from "./files/support.ts";
import { rowsContract } from "./rows-contract.ts";

/** A place that several stores share, as several commands, one after the other, share a folder or a data base. */
export interface Place {
  /** The store of one plan on the place; opened anew each time, as by another process. */
  open(plan: string): Store;
}

const holder = (run: string): Holder => ({
  owner: "somebody",
  host: "here",
  pid: 1,
  run,
  since: "2026-11-22T08:00:00.000Z",
});

const source = (number: number): string =>
  `urn:data:dev:catalog:term:00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const target = (number: number): string => source(number).replace(":dev:", ":prod:");
const row = (number: number, more: Partial<MappingEntry> = {}): MappingEntry => ({
  name: `Term ${number} "ä" \u2028`,
  target: target(number),
  origin: "created",
  ...more,
});

function runRecord(run: string, plan = "one"): RunRecord {
  return { type: "run", run, at: "2026-11-22T08:00:00.000Z", command: "apply", plan, tool, parties };
}

function intent(run: string, number: number): IntentRecord {
  return {
    type: "intent",
    run,
    op: `${run}/${number}`,
    at: "2026-11-22T08:00:00.000Z",
    kind: "terms",
    step: "create",
    items: [
      { source: source(number), name: `Term ${number}`, body: { __proto__x: [1, null, "\n"], big: 1e21 } },
    ],
  };
}

async function held(store: Store, run = "r1"): Promise<Lease> {
  const result = await store.state.lock(holder(run));
  if (!result.ok) throw new Error("the lock is held by somebody else");
  return result.lease;
}

async function recordsOf(store: Store): Promise<readonly JournalRecord[]> {
  const records: JournalRecord[] = [];
  for await (const record of store.state.readJournal()) records.push(record);
  return records;
}

async function rowsOf(store: Store): Promise<Record<string, [string, MappingEntry][]>> {
  const mapping = await store.state.mapping();
  const found: Record<string, [string, MappingEntry][]> = {};
  for (const kind of mapping.kinds()) {
    found[kind] = [...(await mapping.rows(kind))];
  }
  return found;
}

function table(...rows: readonly (readonly [string, number, Partial<MappingEntry>?])[]): MappingTable {
  const made = new MappingTable();
  for (const [kind, number, more] of rows) made.set(kind, source(number), row(number, more));
  return made;
}

/** What every place must do. */
export function storeContract(name: string, place: () => Place): void {
  describe(`the contract of a store, kept by ${name}`, () => {
    it("is empty at first, and can be written to", async () => {
      const store = place().open("one");
      await store.state.prepare();
      await store.work.prepare();
      expect(await recordsOf(store)).toEqual([]);
      expect(await rowsOf(store)).toEqual({});
      expect([...(await store.state.abandoned())]).toEqual([]);
      expect(await store.state.archives()).toEqual([]);
      expect(await store.work.notOffered()).toEqual(new Set());
    });

    describe("the lock", () => {
      it("is one for the target: the second to ask hears who has it, and gets it when it is free", async () => {
        const here = place();
        const [first, second] = [here.open("one"), here.open("two")];
        const lease = await held(first);
        expect(await second.state.lock(holder("r2"))).toEqual({ ok: false, holder: holder("r1") });
        expect(await second.state.lastHolder()).toEqual(holder("r1"));
        await lease.release();
        await lease.release();
        const next = await held(second, "r2");
        expect(next.token).toBeGreaterThan(lease.token);
        await next.release();
      });

      it("tells whoever asks whether it is held, and is taken by nobody who asks", async () => {
        const here = place();
        const [first, second] = [here.open("one"), here.open("two")];
        expect(await second.state.isHeld()).toBe(false);
        const lease = await held(first);
        for (const store of [first, second]) expect(await store.state.isHeld()).toBe(true);
        expect((await second.state.lock(holder("r2"))).ok).toBe(false);
        await lease.release();
        expect(await second.state.isHeld()).toBe(false);
        await (await held(second, "r2")).release();
      });

      it("refuses what one writes that does not hold it any more", async () => {
        const here = place();
        const [old, young] = [here.open("one"), here.open("one")];
        const lease = await held(old);
        const { journal } = await old.state.openJournal(lease, () => undefined);
        await journal.append(runRecord("r1"));
        await lease.release();
        const lost = { name: "StoreError", code: "lease-lost" };
        await expect(journal.append(intent("r1", 1))).rejects.toMatchObject(lost);
        await expect(old.state.saveMapping(lease, table(["terms", 1]))).rejects.toMatchObject(lost);
        await expect(old.state.archive(lease, [{ plan: "one", run: "r1" }])).rejects.toMatchObject(lost);
        await expect(old.state.saveAbandoned(lease, new AbandonedList())).rejects.toMatchObject(lost);
        await expect(old.state.saveDecided(lease, new DecidedList())).rejects.toMatchObject(lost);
        await expect(old.state.appendApplied(lease, [])).rejects.toMatchObject(lost);
        await expect(journal.restart()).rejects.toMatchObject(lost);
        await journal.close();
        await using next = await held(young, "r2");
        expect(next.token).not.toBe(lease.token);
        expect(await recordsOf(young)).toEqual([runRecord("r1")]);
        expect(await rowsOf(young)).toEqual({});
      });
    });

    describe("the journal", () => {
      it("gives back what was appended, in order, to whoever opens it next", async () => {
        const here = place();
        const store = here.open("one");
        const records = [runRecord("r1"), intent("r1", 1), intent("r1", 2)];
        {
          await using lease = await held(store);
          const { journal, cut } = await store.state.openJournal(lease, () => undefined);
          expect(cut).toBe(0);
          await journal.appendAll(records.slice(0, 1));
          await Promise.all(records.slice(1).map(async (record) => journal.append(record)));
          expect(journal.syncs).toBeGreaterThan(0);
          expect(journal.bytes).toBeGreaterThan(0);
          expect(await recordsOf(here.open("one"))).toEqual(records);
          await journal.close();
        }
        await using lease = await held(here.open("one"), "r2");
        const seen: JournalRecord[] = [];
        const { journal } = await here
          .open("one")
          .state.openJournal(lease, (record) => void seen.push(record));
        expect(seen).toEqual(records);
        await journal.close();
        await expect(journal.append(intent("r1", 3))).rejects.toBeInstanceOf(StoreError);
      });

      it("takes what is said at that instant: a record that is changed later is not changed in it", async () => {
        const store = place().open("one");
        await using lease = await held(store);
        const { journal } = await store.state.openJournal(lease, () => undefined);
        const record = { ...intent("r1", 1) };
        const appended = journal.append(record);
        record.step = "delete";
        await appended;
        expect(await recordsOf(store)).toEqual([intent("r1", 1)]);
        await journal.close();
      });

      it("begins anew, and what was in it is kept under the last run of each plan", async () => {
        const here = place();
        const [one, two] = [here.open("one"), here.open("two")];
        await using lease = await held(one);
        const { journal } = await one.state.openJournal(lease, () => undefined);
        const first = [runRecord("r1", "two"), runRecord("r2", "one"), intent("r2", 1)];
        await journal.appendAll(first);
        const runs = [
          { plan: "two", run: "r1" },
          { plan: "one", run: "r2" },
        ];
        expect(await one.state.archive(lease, runs)).toEqual([]);
        await journal.restart();
        expect(await recordsOf(one)).toEqual([]);
        await journal.append(runRecord("r3"));
        await one.state.archive(lease, [{ plan: "one", run: "r3" }]);
        await journal.restart();
        await journal.close();
        const keptFor = async (store: Store): Promise<unknown> =>
          Promise.all(
            (await store.state.archives()).map(async ({ run, records }) => [run, await collect(records())]),
          );
        expect(await keptFor(one)).toEqual([
          ["r2", first],
          ["r3", [runRecord("r3")]],
        ]);
        expect(await keptFor(two)).toEqual([["r1", first]]);
      });

      it("is archived again after a crash without a second copy", async () => {
        const store = place().open("one");
        await using lease = await held(store);
        const { journal } = await store.state.openJournal(lease, () => undefined);
        await journal.append(runRecord("r1"));
        await store.state.archive(lease, [{ plan: "one", run: "r1" }]);
        await store.state.archive(lease, [{ plan: "one", run: "r1" }]);
        const [only, ...others] = await store.state.archives();
        expect(others).toEqual([]);
        expect(only?.run).toBe("r1");
        expect(only === undefined ? [] : await collect(only.records())).toEqual([runRecord("r1")]);
        await journal.close();
      });
    });

    describe("the mapping", () => {
      it("comes back by kind, sorted by source, with every field", async () => {
        const here = place();
        const store = here.open("one");
        await using lease = await held(store);
        const more = { keys: { b: "2", a: "1" }, unfinished: "publish", run: "r1", sourceFingerprint: "x" };
        await store.state.saveMapping(lease, table(["terms", 2], ["terms", 1, more], ["rules", 3]));
        expect(await rowsOf(here.open("one"))).toEqual({
          rules: [[source(3), row(3)]],
          terms: [
            [source(1), row(1, more)],
            [source(2), row(2)],
          ],
        });
      });

      it("has one digest for one content, whoever wrote it and in which order", async () => {
        const [one, other] = [place().open("one"), place().open("one")];
        const digestOf = async (store: Store): Promise<string> => (await store.state.mapping()).digest();
        const empty = await digestOf(one);
        await using lease = await held(one);
        await using otherLease = await held(other);
        await one.state.saveMapping(lease, table(["terms", 1], ["terms", 2]));
        await other.state.saveMapping(otherLease, table(["terms", 2]));
        expect(await digestOf(one)).not.toBe(await digestOf(other));
        await other.state.saveMapping(otherLease, table(["terms", 2], ["terms", 1]));
        expect(await digestOf(one)).toBe(await digestOf(other));
        expect(await digestOf(one)).not.toBe(empty);
        await one.state.saveMapping(lease, table());
        expect(await digestOf(one)).toBe(empty);
      });

      it("is refused under no other name where there is none, nor where it is its own", async () => {
        const store = place().open("one");
        await expect(store.state.refuseOtherNames(["terms"])).resolves.toBeUndefined();
        await using lease = await held(store);
        await store.state.saveMapping(lease, table(["terms", 1]));
        await expect(store.state.refuseOtherNames(["terms"])).resolves.toBeUndefined();
        for await (const row of store.state.otherRows(["terms"])) expect(row).toBeUndefined();
        expect(await store.state.rowsElsewhere("countries")).toBeUndefined();
      });

      it("loses what is not among the rows any more", async () => {
        const store = place().open("one");
        await using lease = await held(store);
        await store.state.saveMapping(lease, table(["terms", 1], ["terms", 2], ["rules", 3]));
        await store.state.saveMapping(lease, table(["terms", 2]));
        const rows = await rowsOf(store);
        expect(rows["terms"]).toEqual([[source(2), row(2)]]);
        expect(rows["rules"] ?? []).toEqual([]);
      });
    });

    it("keeps what a person abandoned, by kind and source", async () => {
      const here = place();
      const store = here.open("one");
      await using lease = await held(store);
      const left = { source: source(1), name: "Email", step: "create", at: "2026-11-22T08:00:00.000Z" };
      const list = new AbandonedList([
        { ...left, kind: "terms" },
        { ...left, kind: "stewardship", step: "manage" },
      ]);
      await store.state.saveAbandoned(lease, list);
      const found = await here.open("two").state.abandoned();
      expect(found.get("terms", source(1))).toMatchObject(left);
      expect(found.get("stewardship", source(1))?.step).toBe("manage");
      await store.state.saveAbandoned(lease, new AbandonedList());
      expect([...(await store.state.abandoned())]).toEqual([]);
    });

    describe("a snapshot", () => {
      const object = (
        number: number,
      ): { urn: string; name: string; body: { [key: string]: never } | object } => ({
        urn: source(number),
        name: `Term ${number}`,
        body: { urn: source(number), number, nested: { list: [number, null] } },
      });

      it("is read as it was written, and stands until the next one is finished", async () => {
        const { work } = place().open("one");
        await expect(work.openSnapshot()).rejects.toMatchObject({ code: "not-found" });
        const writer = await work.createSnapshot("source", "2026-11-22T08:00:00.000Z");
        for (const number of [2, 1]) await writer.add("terms", object(number) as never);
        const made = await writer.finishAndOpen({
          kinds: { terms: { complete: true }, rules: { complete: false, reason: "403" } },
          notes: { a: 1 },
        });
        expect(made.kinds()).toEqual(["rules", "terms"]);
        expect([...made.urns("terms")]).toEqual([source(2), source(1)]);
        expect([made.has("terms", source(1)), made.has("rules", source(1))]).toEqual([true, false]);
        expect(made.body("terms", source(1))).toEqual(object(1).body);
        expect([...made.stream("terms")].map(({ name }) => name)).toEqual(["Term 2", "Term 1"]);
        expect(made.manifest.kinds["rules"]).toMatchObject({ count: 0, complete: false, reason: "403" });
        made.close();

        const second = await work.createSnapshot("source", "2026-11-22T09:00:00.000Z");
        await second.add("terms", object(3) as never);
        const kept = await work.openSnapshot();
        expect([...kept.urns("terms")]).toEqual([source(2), source(1)]);
        kept.close();
        await second.abandon();
        const still = await work.openSnapshot();
        expect(still.manifest.digest).toBe(made.manifest.digest);
        still.close();
      });

      it("has one digest for one content, whatever the order and time, and takes an object once", async () => {
        const { work } = place().open("one");
        const digestOf = async (numbers: readonly number[], at: string): Promise<string> => {
          const writer = await work.createSnapshot("source", at);
          for (const number of numbers) await writer.add("terms", object(number) as never);
          const reader = await writer.finishAndOpen({ kinds: { terms: { complete: true } }, notes: {} });
          reader.close();
          return reader.manifest.digest;
        };
        const first = await digestOf([1, 2], "2026-11-22T08:00:00.000Z");
        expect(await digestOf([2, 1], "2026-11-22T09:00:00.000Z")).toBe(first);
        expect(await digestOf([1], "2026-11-22T08:00:00.000Z")).not.toBe(first);
        const writer = await work.createSnapshot("target", "2026-11-22T08:00:00.000Z");
        await writer.add("terms", object(1) as never);
        await expect((async () => writer.add("terms", object(1) as never))()).rejects.toMatchObject({
          code: "duplicate-object",
        });
        await writer.abandon();
      });

      it("keeps what was asked for, which is no part of its content", async () => {
        const { work } = place().open("one");
        const made = async (told: object): Promise<SnapshotSummary> => {
          const writer = await work.createSnapshot("source", "2026-11-22T08:00:00.000Z");
          await writer.add("terms", object(1) as never);
          const reader = await writer.finishAndOpen({
            kinds: { terms: { complete: true, ...told } },
            notes: {},
          });
          reader.close();
          const again = await work.openSnapshot();
          again.close();
          expect(again.manifest).toEqual(reader.manifest);
          return again.manifest;
        };
        const [without, one] = [await made({}), await made({ asked: ["costCentre", "owner"] })];
        expect([without.kinds["terms"]?.asked, one.kinds["terms"]?.asked]).toEqual([
          undefined,
          ["costCentre", "owner"],
        ]);
        expect(one.digest).toBe(without.digest);
      });
    });

    it("keeps what a person decided, and what was applied last, as it went in", async () => {
      const here = place();
      const { state } = here.open("one");
      const lease = await held(here.open("one"));
      const decided = {
        kind: "terms",
        source: source(1),
        name: "Term 1",
        choice: "keep-target" as const,
        sourcePrint: "a",
        targetPrint: "b",
        by: "somebody",
        at: "2026-11-22T08:00:00.000Z",
      };
      expect([...(await state.decided())]).toEqual([]);
      await state.saveDecided(lease, new DecidedList([decided]));
      expect([...(await here.open("two").state.decided())]).toEqual([decided]);
      await state.saveDecided(lease, new DecidedList());
      expect([...(await state.decided())]).toEqual([]);

      const tree = (number: number, text: string): AppliedTree => ({
        kind: "terms",
        source: source(number),
        print: text,
        tree: { text, "ä\t\n": [null, { __proto__x: 1 }] },
      });
      expect((await state.openApplied()).get("terms", source(1))).toBeUndefined();
      expect(await state.appliedDigest()).toBeUndefined();
      await state.appendApplied(lease, [tree(1, "old"), tree(2, "other")]);
      const digest = await state.appliedDigest();
      expect([typeof digest, await here.open("two").state.appliedDigest()]).toEqual(["string", digest]);
      await state.appendApplied(lease, [tree(1, "new"), tree(3, "x".repeat(70_000))]);
      expect(await state.appliedDigest()).not.toBe(digest);
      const applied = await here.open("two").state.openApplied();
      expect(applied.get("terms", source(1))).toEqual(tree(1, "new"));
      expect(applied.get("terms", source(2))).toEqual(tree(2, "other"));
      expect(applied.get("terms", source(3))).toBeUndefined();
      expect(applied.get("rules", source(1))).toBeUndefined();

      // Whose twin a part is may be another one by the time somebody reads it.
      const [known, unknown, twin] = ["a", "b", "c"].map((letter) => source(9).slice(-36, -1) + letter);
      const parts = { [`new_${known}`]: { by: `new_${known}` }, [`new_${unknown}`]: {} };
      const keyed = { ...tree(4, "keyed"), tree: { parts, said: `"new_${known}"` } };
      await state.appendApplied(lease, [{ ...keyed, keys: { [known ?? ""]: twin ?? "" } }]);
      expect((await here.open("two").state.openApplied()).get("terms", source(4))).toEqual({
        ...keyed,
        tree: { parts: { [twin ?? ""]: { by: twin }, [`new_${unknown}`]: {} }, said: `"new_${known}"` },
      });
      await lease.release();
    });

    it("keeps the reports of runs, each by itself, in the order in which they began", async () => {
      const here = place();
      const { work } = here.open("one");
      const later = keptRun("b", "2026-11-22T09:00:00.000Z");
      const earlier = keptRun("c", "2026-11-22T08:00:00.000Z");
      expect(await work.keptRuns()).toEqual([]);
      await work.keepRun(later, { "report.txt": "later" }, true);
      await work.keepRun(earlier, { "report.txt": "earlier", "report.md": "ä" }, true);
      const again = here.open("one").work;
      expect(await again.keptRuns()).toEqual([earlier, later]);
      expect(await again.keptReport("b", "report.txt")).toBe("later");
      expect(await again.keptReport("c", "report.md")).toBe("ä");
      await expect(again.keptReport("b", "report.md")).rejects.toMatchObject({ code: "not-found" });
      await expect(again.keptReport("x", "report.md")).rejects.toMatchObject({ code: "not-found" });
      await work.keepRun(later, { "report.txt": "told again" }, false);
      expect(await again.keptReport("b", "report.txt")).toBe("told again");
      expect(await here.open("two").work.keptRuns()).toEqual([]);
      await again.dropRun("b");
      expect(await work.keptRuns()).toEqual([earlier]);
      // The journals that are kept for a rollback are no reports, and the other way round.
      expect(await here.open("one").state.archives()).toEqual([]);
    });

    rowsContract(place, held);

    it("gives room to what a run needs once more, each by itself", async () => {
      const here = place();
      const { work } = here.open("one");
      await work.prepare();
      const [one, other] = [work.openScratch(), work.openScratch()];
      for (const piece of ["first, ", "second, ", "third"]) {
        one.append(Buffer.from(piece));
        other.append(Buffer.from(piece.toUpperCase()));
      }
      const read = (from: typeof one, position: number, length: number): string => {
        const into = Buffer.alloc(length);
        from.read(into, position);
        return into.toString();
      };
      expect([read(one, 5, 5), read(one, 0, 20), read(other, 15, 5)]).toEqual([
        ", sec",
        "first, second, third",
        "THIRD",
      ]);
    });

    it("keeps what a run has asked and was answered, until it is taken away", async () => {
      const here = place();
      const { work } = here.open("one");
      await work.prepare();
      expect(await work.lastLook()).toBeUndefined();
      await work.saveLook(undefined);
      const look = { format: 1, reads: [{ path: "/api", name: "\u202e\n" }] };
      await work.saveLook(look);
      expect(await work.lastLook()).toEqual(look);
      expect(await here.open("two").work.lastLook()).toBeUndefined();
      await work.saveLook(undefined);
      expect(await work.lastLook()).toBeUndefined();
    });

    it("tells what the last diff says by its digest, without a look at it", async () => {
      const here = place();
      const { work } = here.open("one");
      await work.prepare();
      expect(await work.diffDigest()).toBeUndefined();
      await work.saveDiff({ changes: ["one"] });
      const one = await work.diffDigest();
      await work.saveDiff({ changes: ["other"] });
      const other = await work.diffDigest();
      await work.saveDiff({ changes: ["one"] });
      expect([await work.diffDigest(), other === one, typeof one]).toEqual([one, false, "string"]);
      expect(await here.open("two").work.diffDigest()).toBeUndefined();
    });

    it("tells the digest of the last export without a look at its objects", async () => {
      const here = place();
      const { work } = here.open("one");
      await work.prepare();
      expect(await work.snapshotKept()).toBeUndefined();
      const writer = await work.createSnapshot("source", "2026-11-22T08:00:00.000Z");
      const kinds = { terms: { complete: true } };
      const made = await writer.finishAndOpen({ kinds, notes: null });
      expect((await work.snapshotKept())?.digest).toBe(made.manifest.digest);
      made.close();
    });

    it("remembers what the target was seen not to offer", async () => {
      const here = place();
      const { work } = here.open("one");
      await work.saveNotOffered(new Set(["rules/patch"]));
      expect(await work.notOffered()).toEqual(new Set(["rules/patch"]));
    });
  });
}
