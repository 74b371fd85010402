import * as fc from "fast-check";
import type { IntentRecord, JournalRecord, OutcomeItem } from "../../src/model/journal.ts";
import type { MappingEntry } from "../../src/model/mapping.ts";
import { parties } from "../store/files/support.ts";
import { uuidFor } from "./sketch.ts";

/**
 * Journals as runs write them: each begins, notes what exists, sends requests of several objects and records what
 * became of them, one answer after the other, in doubt first and settled later, or never.
 */
export const kinds = ["terms", "rules"] as const;
export const source = (number: number): string => `urn:data:dev:catalog:thing:${uuidFor("a", number)}`;

type Deed =
  | { readonly is: "intent"; readonly objects: readonly number[]; readonly step: string }
  | { readonly is: "answer"; readonly which: number; readonly results: readonly OutcomeItem["result"][] }
  | { readonly is: "entry"; readonly object: number; readonly removed: boolean }
  | { readonly is: "baseline"; readonly uuids: readonly number[]; readonly kind: number }
  | { readonly is: "run"; readonly ends: boolean };

const object = fc.nat({ max: 7 });
const deeds = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        is: fc.constant("intent" as const),
        objects: fc.uniqueArray(object, { minLength: 1, maxLength: 4 }),
        step: fc.constantFrom("create", "patch", "delete"),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        is: fc.constant("answer" as const),
        which: fc.nat(),
        results: fc.array(fc.constantFrom<OutcomeItem["result"]>("done", "not-done", "doubt", "abandoned"), {
          minLength: 1,
          maxLength: 4,
        }),
      }),
    },
    fc.record({ is: fc.constant("entry" as const), object, removed: fc.boolean() }),
    fc.record({
      is: fc.constant("baseline" as const),
      uuids: fc.array(object, { maxLength: 4 }),
      kind: fc.nat({ max: 1 }),
    }),
    fc.record({ is: fc.constant("run" as const), ends: fc.boolean() }),
  ),
  { maxLength: 25 },
);

function kindOf(number: number): string {
  return kinds[number % kinds.length] ?? "terms";
}

function entryOf(number: number, version: number): MappingEntry {
  const keys = { [uuidFor("c", number)]: uuidFor("d", number * 100 + version) };
  return {
    name: `object ${number}`,
    target: `urn:data:prod:catalog:thing:${uuidFor("b", number * 100 + version)}`,
    origin: "created",
    keys,
  };
}

/** Only what can be: an object has one request under way, and an answer that says something definite is the last. */
function journalOf(deeds: readonly Deed[]): readonly JournalRecord[] {
  const records: JournalRecord[] = [];
  const open = new Map<string, { readonly intent: IntentRecord; readonly left: Set<string> }>();
  let run = 0;
  let op = 0;
  const at = (): string => new Date(Date.UTC(2026, 0, 1) + records.length * 1000).toISOString();
  const begin = (): void => {
    run += 1;
    records.push({
      type: "run",
      run: `run ${run}`,
      at: at(),
      command: "apply",
      plan: "p",
      tool: "t",
      parties,
    });
  };
  begin();
  for (const deed of deeds) {
    const busy = new Set([...open.values()].flatMap(({ left }) => [...left]));
    switch (deed.is) {
      case "intent": {
        const kind = kindOf(deed.objects[0] ?? 0);
        const free = deed.objects.filter((number) => kindOf(number) === kind && !busy.has(source(number)));
        if (free.length === 0) break;
        op += 1;
        const items = free.map((number) => ({ source: source(number), name: `object ${number}` }));
        const intent: IntentRecord = {
          type: "intent",
          run: `run ${run}`,
          op: `run ${run}/${op}`,
          at: at(),
          kind,
          step: deed.step,
          items,
        };
        records.push(intent);
        open.set(intent.op, { intent, left: new Set(items.map((item) => item.source)) });
        break;
      }
      case "answer": {
        const found = [...open.values()][deed.which % Math.max(1, open.size)];
        if (found === undefined) break;
        const items = [...found.left].slice(0, deed.results.length).map((urn, index): OutcomeItem => {
          const result = deed.results[index] ?? "doubt";
          const number = Number.parseInt(urn.slice(-12), 16);
          if (result === "done")
            return {
              source: urn,
              result,
              entry: deed.which % 5 === 0 ? null : entryOf(number, records.length),
            };
          if (result === "accepted") return { source: urn, result, handle: `job-${records.length}` };
          return { source: urn, result, reason: `because of ${records.length}` };
        });
        records.push({ type: "outcome", op: found.intent.op, at: at(), items });
        for (const { source, result } of items)
          if (result !== "doubt" && result !== "accepted") found.left.delete(source);
        if (found.left.size === 0) open.delete(found.intent.op);
        break;
      }
      case "entry": {
        if (busy.has(source(deed.object))) break;
        const entry = deed.removed ? null : entryOf(deed.object, records.length);
        records.push({
          type: "entry",
          run: `run ${run}`,
          kind: kindOf(deed.object),
          source: source(deed.object),
          entry,
        });
        break;
      }
      case "baseline":
        records.push({
          type: "baseline",
          run: `run ${run}`,
          kind: kindOf(deed.kind),
          uuids: deed.uuids.map((number) => uuidFor("b", number)),
        });
        break;
      case "run":
        if (deed.ends) records.push({ type: "end", run: `run ${run}`, at: at(), exitCode: 0 });
        begin();
        break;
    }
  }
  return records;
}

export const journals: fc.Arbitrary<readonly JournalRecord[]> = deeds.map(journalOf);
