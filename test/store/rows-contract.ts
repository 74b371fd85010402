import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { JournalRecord } from "../../src/model/journal.ts";
import type { RowPrint } from "../../src/model/row-print.ts";
import { forgotten } from "../../src/model/row-print.ts";
import type { Lease, Store } from "../../src/store/store.ts";

const keyOf = (number: number): string =>
  createHash("sha256").update(String(number)).digest("hex").slice(0, 32);
const print = (number: number, state = "1"): RowPrint => ({
  key: keyOf(number),
  source: state.repeat(16),
  target: "b".repeat(16),
});
const byKey = (one: RowPrint, other: RowPrint): number => (one.key < other.key ? -1 : 1);

async function save(
  { work, state }: Store,
  lease: Lease,
  prints: Iterable<RowPrint>,
  sense = "code",
): Promise<void> {
  const sorter = await work.sortPrints();
  for (const one of prints) await sorter.add(one);
  const sorted = await sorter.finish();
  await state.saveKnownRows(lease, "countries", sense, sorted);
  sorted.close();
}

async function known({ state }: Store): Promise<readonly RowPrint[] | undefined> {
  const rows = await state.knownRows("countries");
  const all = rows === undefined ? undefined : [...rows];
  rows?.close();
  return all;
}

async function recordsOf(records: AsyncIterable<JournalRecord>): Promise<readonly JournalRecord[]> {
  const all: JournalRecord[] = [];
  for await (const record of records) all.push(record);
  return all;
}

/** What every store must do with rows, of which there may be millions. */
export function rowsContract(
  place: () => { open(plan: string): Store },
  held: (store: Store) => Promise<Lease>,
): void {
  describe("what is known of rows", () => {
    it("is nothing at first, then what was saved, by key and in order", async () => {
      const store = place().open("one");
      await store.work.prepare();
      expect(await store.state.knownRows("countries")).toBeUndefined();
      const lease = await held(store);
      const prints = Array.from({ length: 1_000 }, (_, number) => print(number));
      await save(store, lease, prints);
      expect(await known(store)).toEqual(prints.toSorted(byKey));
      const rows = await store.state.knownRows("countries");
      expect(rows?.size).toBe(1_000);
      expect(prints.every((one) => rows?.get(one.key)?.source === one.source)).toBe(true);
      expect([keyOf(-1), "0".repeat(32), "f".repeat(32)].map((key) => rows?.get(key))).toEqual(
        Array.from({ length: 3 }),
      );
      rows?.close();
      await lease.release();
    });

    it("is changed row by row: what is not named stays, what is forgotten goes", async () => {
      const store = place().open("one");
      await store.work.prepare();
      const lease = await held(store);
      await save(
        store,
        lease,
        [1, 2, 3].map((number) => print(number)),
      );
      await save(store, lease, [print(2, "2"), { ...print(3), source: forgotten }, print(4)]);
      expect(await known(store)).toEqual([print(1), print(2, "2"), print(4)].toSorted(byKey));
      await lease.release();
    });

    it("is what was said last of a row, of several words about it", async () => {
      const store = place().open("one");
      await store.work.prepare();
      const lease = await held(store);
      await save(store, lease, [print(1, "9"), print(2, "1"), print(3), print(1, "1"), print(2, "9")]);
      expect(await known(store)).toEqual([print(1, "1"), print(2, "9"), print(3)].toSorted(byKey));
      await save(store, lease, [
        { ...print(1), source: forgotten },
        print(1),
        print(2),
        { ...print(2), source: forgotten },
      ]);
      expect(await known(store)).toEqual([print(1), print(3)].toSorted(byKey));
      await lease.release();
    });

    it("is forgotten as a whole where it was in another sense", async () => {
      const store = place().open("one");
      await store.work.prepare();
      const lease = await held(store);
      await save(store, lease, [print(1)]);
      await save(store, lease, [print(2)], "code, language");
      expect(await known(store)).toEqual([print(2)]);
      await lease.release();
    });

    it("is written by who holds the target, and by nobody else", async () => {
      const store = place().open("one");
      await store.work.prepare();
      const lease = await held(store);
      const log = await store.state.openRowLog(lease, "countries", "r0");
      await lease.release();
      const lost = { code: "lease-lost" };
      // Its intent would be durable beside those of the run that has the target by now.
      await expect(log.append({ type: "end", run: "r0", at: "", exitCode: 0 })).rejects.toMatchObject(lost);
      await log.close();
      await expect(save(store, lease, [print(1)])).rejects.toMatchObject(lost);
      await expect(store.state.openRowLog(lease, "countries", "r1")).rejects.toMatchObject(lost);
      await expect(store.state.closeRowLog(lease, "countries", "r0")).rejects.toMatchObject(lost);
      const none = { runs: 0, bytes: 0 };
      await expect(store.state.dropRowLogs(lease, "countries", none)).rejects.toMatchObject(lost);
    });
  });

  it("sorts what comes in any order, and keeps what comes twice", async () => {
    const store = place().open("one");
    await store.work.prepare();
    const sorter = await store.work.sortPrints();
    const prints = [5, 1, 4, 1].map((number) => print(number));
    for (const one of prints) await sorter.add(one);
    const sorted = await sorter.finish();
    expect([...sorted]).toEqual(prints.toSorted(byKey));
    sorted.close();
    const other = await store.work.sortPrints();
    await other.add(print(1));
    await other.abandon();
  });

  it("has a table's rows as they were written, and the ones before until the new ones are finished", async () => {
    const { work } = place().open("one");
    await work.prepare();
    const rowsOf = async (): Promise<unknown[]> => {
      const rows: unknown[] = [];
      for await (const some of work.readRows("countries")) rows.push(...some);
      return rows;
    };
    expect(await rowsOf()).toEqual([]);
    const first = await work.writeRows("countries");
    await first.add({ key: "DE", name: "Ä \u2028", area: JSON.rawJSON("1.0") });
    await first.finish();
    const second = await work.writeRows("countries");
    await second.add({ key: "FR" });
    expect(JSON.stringify(await rowsOf())).toBe('[{"key":"DE","name":"Ä \u2028","area":1.0}]');
    await second.abandon();
    expect(await rowsOf()).toHaveLength(1);
    await work.saveRowsDone("countries", { done: 1 });
    expect(await work.rowsDone()).toEqual(new Map([["countries", { done: 1 }]]));
    expect(await work.rowsPlan("countries")).toBeUndefined();
    await work.saveRowsPlan("countries", { line: 7 });
    expect(await work.rowsPlan("countries")).toEqual({ line: 7 });
    await work.saveRowsPlan("countries", undefined);
    expect(await work.rowsPlan("countries")).toBeUndefined();
  });

  it("has its own rows of a table, whoever puts others in their place meanwhile", async () => {
    const at = place();
    const [one, other] = [at.open("one").work, at.open("one").work];
    await one.prepare();
    const write = async (work: typeof one, key: string): Promise<void> => {
      const rows = await work.writeRows("countries");
      await rows.add({ key });
      await rows.finish();
    };
    const keys = async (work: typeof one): Promise<unknown[]> => {
      const all: unknown[] = [];
      for await (const some of work.readRows("countries")) all.push(...some.map((row) => row["key"]));
      return all;
    };
    await write(one, "shown");
    await write(other, "looked at");
    expect([await keys(one), await keys(one)]).toEqual([["shown"], ["shown"]]);
    const draft = await one.draftRows("countries", false);
    await draft.add({ key: "compared" });
    await draft.finish();
    await write(other, "looked at again");
    expect([await keys(one), await keys(other)]).toEqual([["compared"], ["looked at again"]]);
    await write(one, "written");
    expect(await keys(one)).toEqual(["written"]);
    for (const work of [one, other]) work.close();
  });

  it("goes on with the lines of a table where they were kept last, and puts them in their place when they are whole", async () => {
    const { work } = place().open("one");
    await work.prepare();
    const rowsOf = async (rows: AsyncIterable<readonly unknown[]>): Promise<unknown[]> => {
      const all: unknown[] = [];
      for await (const some of rows) all.push(...some);
      return all;
    };
    const first = await work.draftRows("countries", true);
    expect(first.kept).toBeUndefined();
    await first.add('{"key":"DE"}');
    await first.addPrint(print(2));
    await first.addPrint(print(1));
    await first.keep({ from: "a", area: JSON.rawJSON("1.0") });
    await first.add('{"key":"not kept"}');
    await first.addPrint(print(3));
    await first.abandon();
    expect(await rowsOf(work.readRows("countries"))).toEqual([]);
    const second = await work.draftRows("countries", true);
    expect(JSON.stringify(second.kept)).toBe('{"from":"a","area":1.0}');
    expect([...second.keptPrints()]).toEqual([print(2), print(1)]);
    expect(await rowsOf(second.keptLines())).toEqual([{ key: "DE" }]);
    await second.add('{"key":"FR"}');
    await second.addPrint(print(4));
    await second.keep({ from: "b" });
    await second.abandon();
    const third = await work.draftRows("countries", true);
    expect([third.kept, [...third.keptPrints()]]).toEqual([{ from: "b" }, [print(2), print(1), print(4)]]);
    await third.finish();
    await third.abandon();
    expect(await rowsOf(work.readRows("countries"))).toEqual([{ key: "DE" }, { key: "FR" }]);
    for (const goOn of [true, false]) {
      const anew = await work.draftRows("countries", goOn);
      expect([anew.kept, [...anew.keptPrints()]]).toEqual([undefined, []]);
      await anew.keep({ from: "c" });
      await anew.abandon();
    }
    const again = await work.draftRows("countries", false);
    expect(again.kept).toBeUndefined();
    await again.abandon();
    expect(await rowsOf(work.readRows("countries"))).toHaveLength(2);
  });

  it("keeps what each run did to a table, and which of them came to their end", async () => {
    const here = place();
    const store = here.open("one");
    await store.work.prepare();
    expect(await store.state.rowLogs()).toEqual([]);
    const lease = await held(store);
    const outcome: JournalRecord = {
      type: "rows-done",
      op: "r1/1",
      at: "2026-11-22T08:00:00.000Z",
      rows: [{ key: keyOf(1), result: "done", target: "urn:x" }],
    };
    for (const run of ["r1", "r2"]) {
      const log = await store.state.openRowLog(lease, "countries", run);
      await log.append(outcome);
      await log.close();
    }
    await store.state.closeRowLog(lease, "countries", "r1");
    await lease.release();
    const logs = await here.open("two").state.rowLogs();
    expect(logs.map(({ table, run, isOpen }) => ({ table, run, isOpen }))).toEqual([
      { table: "countries", run: "r1", isOpen: false },
      { table: "countries", run: "r2", isOpen: true },
    ]);
    expect(logs[0] === undefined ? [] : await recordsOf(logs[0].records())).toEqual([outcome]);
  });

  it("lets the oldest logs of a table go: neither the newest nor what is open, and that they were there stays known", async () => {
    const here = place();
    const store = here.open("one");
    const lease = await held(store);
    const line: JournalRecord = {
      type: "rows-done",
      op: "r1/1",
      at: "2026-11-22T08:00:00.000Z",
      rows: [{ key: keyOf(1), result: "done", target: "urn:x" }],
    };
    const made = [
      ["countries", ["r1", "r2", "r3", "r4", "r5"]],
      ["cities", ["r1"]],
    ] as const;
    for (const [table, runs] of made)
      for (const run of runs) {
        const log = await store.state.openRowLog(lease, table, run);
        await log.append(line);
        await log.close();
        if (run !== "r2") await store.state.closeRowLog(lease, table, run);
      }
    const logs = async (): Promise<readonly string[]> =>
      (await here.open("two").state.rowLogs()).map(
        ({ table, run, isOpen, isDropped }) =>
          `${table} ${run}${isOpen ? " open" : ""}${isDropped === true ? " dropped" : ""}`,
      );
    const large = 1 << 20;
    expect(await store.state.dropRowLogs(lease, "countries", { runs: 4, bytes: large })).toEqual([]);
    expect(await store.state.dropRowLogs(lease, "countries", { runs: 3, bytes: large })).toEqual(["r1"]);
    expect(await store.state.dropRowLogs(lease, "countries", { runs: 3, bytes: 1 })).toEqual(["r3", "r4"]);
    expect(await store.state.dropRowLogs(lease, "countries", { runs: 3, bytes: 1 })).toEqual([]);
    expect(await logs()).toEqual([
      "cities r1",
      "countries r1 dropped",
      "countries r2 open",
      "countries r3 dropped",
      "countries r4 dropped",
      "countries r5",
    ]);
    const [, first] = await store.state.rowLogs();
    expect(first === undefined ? undefined : await recordsOf(first.records())).toEqual([]);
    await lease.release();
    await expect(store.state.dropRowLogs(lease, "countries", { runs: 0, bytes: 0 })).rejects.toMatchObject({
      code: "lease-lost",
    });
  });
}
