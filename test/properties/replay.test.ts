import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Replay, type Replayed } from "../../src/engine/settle/replay.ts";
import type { JournalRecord } from "../../src/model/journal.ts";
import type { MappingEntry } from "../../src/model/mapping.ts";
import { MappingTable } from "../../src/model/mapping-table.ts";
import { uuidOf } from "../../src/model/urn.ts";
import { journals, kinds, source } from "./journals.ts";
import { patience, runs } from "./runs.ts";
import { uuidFor } from "./sketch.ts";

function replayed(
  records: readonly JournalRecord[],
  mapping = new MappingTable(),
): { result: Replayed; mapping: MappingTable } {
  const replay = new Replay(mapping);
  for (const record of records) replay.feed(record);
  return { result: replay.result(), mapping };
}

/** Everything that the rest of the program can see of it. */
function seen({ result, mapping }: { result: Replayed; mapping: MappingTable }): unknown {
  const objects = Array.from({ length: 8 }, (_, number) => source(number));
  return {
    doubts: result.doubts,
    baselines: [...result.baselines].map(([run, kinds]) => [
      run,
      [...kinds].map(([kind, uuids]) => [kind, [...uuids].sort()]),
    ]),
    runs: result.runs,
    open: result.open,
    entries: objects.map((urn) => [mapping.all(urn), mapping.named(urn), mapping.uuid(uuidOf(urn))]),
    claims: objects.map((urn) => mapping.claimedBy(mapping.named(urn)?.entry.target ?? "")),
    keys: Array.from({ length: 8 }, (_, number) => mapping.key(uuidFor("c", number))),
  };
}

describe("the generator", () => {
  it("makes doubts, doubts that are settled later, removals, and runs that did not end", () => {
    const sample = fc.sample(journals, { numRuns: 200, seed: 1 });
    expect(sample.some((records) => replayed(records).result.doubts.length > 2)).toBe(true);
    expect(sample.some((records) => replayed(records).result.open.length > 1)).toBe(true);
    const settled = sample.some((records) =>
      records.some((record, at) => {
        if (record.type !== "outcome") return false;
        const doubts = record.items.filter(({ result }) => result === "doubt");
        const doubtful = new Set(doubts.map((item) => item.source));
        return records
          .slice(at + 1)
          .some(
            (later) =>
              later.type === "outcome" &&
              later.op === record.op &&
              later.items.some((item) => item.result === "done" && doubtful.has(item.source)),
          );
      }),
    );
    expect(settled).toBe(true);
    expect(
      sample
        .flat()
        .some(
          (record) =>
            record.type === "outcome" &&
            record.items.some((item) => item.result === "done" && item.entry === null),
        ),
    ).toBe(true);
  });
});

describe("replay", () => {
  it(
    "of a prefix and then the rest is replay of all, whoever looks in between",
    () => {
      fc.assert(
        fc.property(journals, fc.nat(), (records, cut) => {
          const mapping = new MappingTable();
          const replay = new Replay(mapping);
          for (const [index, record] of records.entries()) {
            if (index === cut % (records.length + 1)) replay.result();
            replay.feed(record);
          }
          expect(seen({ result: replay.result(), mapping })).toEqual(seen(replayed(records)));
        }),
        runs(300),
      );
    },
    patience(),
  );

  it(
    "over a mapping that was saved at any moment is replay over none",
    () => {
      fc.assert(
        fc.property(journals, fc.nat(), (records, cut) => {
          const { mapping } = replayed(records.slice(0, cut % (records.length + 1)));
          const saved = new MappingTable();
          for (const kind of mapping.kinds())
            for (const [urn, entry] of mapping.entries(kind)) saved.set(kind, urn, entry);
          expect(seen(replayed(records, saved))).toEqual(seen(replayed(records)));
        }),
        runs(300),
      );
    },
    patience(),
  );

  it(
    "of any prefix doubts exactly what was sent and has no definite outcome",
    () => {
      fc.assert(
        fc.property(journals, fc.nat(), (all, cut) => {
          const records = all.slice(0, cut % (all.length + 1));
          const expected = records.flatMap((intent) => {
            if (intent.type !== "intent") return [];
            return intent.items.flatMap(({ source }) => {
              const outcomes = records.flatMap((record) =>
                record.type === "outcome" && record.op === intent.op
                  ? record.items.filter((item) => item.source === source)
                  : [],
              );
              return outcomes.every(({ result }) => result === "doubt") ? [`${intent.op} ${source}`] : [];
            });
          });
          const { doubts } = replayed(records).result;
          expect(doubts.map(({ op, item }) => `${op} ${item.source}`).sort()).toEqual(expected.sort());
          for (const doubt of doubts) {
            const intent = records.find((record) => record.type === "intent" && record.op === doubt.op);
            expect(intent).toMatchObject({
              run: doubt.run,
              kind: doubt.kind,
              step: doubt.step,
              at: new Date(doubt.at).toISOString(),
            });
          }
        }),
        runs(300),
      );
    },
    patience(),
  );

  it(
    "leaves in the mapping what was said of each object last",
    () => {
      fc.assert(
        fc.property(journals, (records) => {
          const { mapping } = replayed(records);
          const last = new Map<string, MappingEntry | null>();
          for (const record of records) {
            if (record.type === "entry") last.set(record.source, record.entry);
            if (record.type === "outcome")
              for (const item of record.items) if (item.result === "done") last.set(item.source, item.entry);
          }
          for (const [urn, entry] of last) expect(mapping.named(urn)?.entry ?? null).toEqual(entry);
          const rows = kinds.flatMap((kind) => [...mapping.entries(kind)]);
          expect(rows.length).toBe([...last.values()].filter((entry) => entry !== null).length);
        }),
        runs(300),
      );
    },
    patience(),
  );

  it(
    "keeps what existed before each run apart",
    () => {
      fc.assert(
        fc.property(journals, (records) => {
          const { baselines } = replayed(records).result;
          for (const record of records) {
            if (record.type !== "baseline") continue;
            const known = baselines.get(record.run)?.get(record.kind) ?? new Set();
            expect(record.uuids.filter((uuid) => !known.has(uuid))).toEqual([]);
          }
          const count = [...baselines.values()]
            .flatMap((kinds) => [...kinds.values()])
            .reduce((sum, { size }) => sum + size, 0);
          const noted = records.flatMap((record) =>
            record.type === "baseline"
              ? record.uuids.map((uuid) => `${record.run} ${record.kind} ${uuid}`)
              : [],
          );
          expect(count).toBe(new Set(noted).size);
        }),
        runs(200),
      );
    },
    patience(),
  );
});
