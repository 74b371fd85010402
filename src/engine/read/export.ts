import type { Listed, MovedKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { JsonObject } from "../../model/json.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import type { Plan } from "../../model/plan.ts";
import { urnType } from "../../model/urn.ts";
import { references } from "../../model/walk.ts";
import type { ReadClient } from "../../service/index.ts";
import type { SnapshotReader, SnapshotWriter } from "../../store/index.ts";
import { withinDepth } from "./depth.ts";
import { GivenReader, readTogether } from "./given-reader.ts";
import { holderIn } from "./holders.ts";
import { readListings } from "./listing.ts";
import type { Report } from "../progress.ts";
import { furtherKinds } from "./further.ts";
import type { Foresight } from "./foresight.ts";
import { nothingEarly } from "./foresight.ts";
import { gathering, withGathered } from "./gather.ts";
import { kindsToList, select, selectsItself } from "./selection.ts";
import { SourceIndex } from "./source-index.ts";
import { together } from "../together.ts";
import { isGiven, isSilent } from "../facets/standing.ts";
import { isFetched, readOneByOne, thingOver, unlistedAtSource } from "./unlisted.ts";

/**
 * Snapshots what is published at the source: every object of the kinds that the plan needs, and of the given things
 * only those that the selected objects refer to. What is selected is decided again by the diff, so one snapshot
 * serves several selections of the same kinds.
 */
export async function exportSource(options: {
  readonly client: ReadClient;
  readonly registry: Registry;
  /** The same kinds, these of them opened as well. */
  readonly open: (more: ReadonlySet<string>) => Promise<Registry>;
  readonly plan: Plan;
  readonly writer: SnapshotWriter;
  readonly report: Report;
  /** Whether something is to be known of what says nothing: it said something before, or the target may. */
  readonly wantsSilent: (kind: string, urn: string) => boolean;
  /** Aborted when nobody needs the snapshot any more; its reason is thrown. */
  readonly stop?: AbortSignal | undefined;
  /** Told what is certain to be asked for, while there is still something to list. */
  readonly foresight?: Foresight | undefined;
}): Promise<{ readonly snapshot: SnapshotReader; readonly index: SourceIndex }> {
  const { client, registry, plan, writer, report, stop, foresight } = options;
  const listed = new Set(kindsToList(registry, plan.select));
  const kinds = registry.moved().filter((kind) => listed.has(kind.name));
  const gathered = gathering(registry, kinds);
  const early = withGathered(foresight?.source ?? nothingEarly, gathered);
  const given = new GivenReader(client, registry, {
    early,
    ...(foresight === undefined ? {} : { onRecords: foresight.records.bind(foresight) }),
  });
  const index = new SourceIndex(registry);
  const isSelected = selectsItself(plan.select);

  const take = async (kind: MovedKind, object: Listed): Promise<"left" | void> => {
    if (isSilent(kind, object.body) && !options.wantsSilent(kind.name, object.urn)) return "left";
    const row = index.add(kind, object);
    if (foresight !== undefined && isSelected(row)) foresight.refers(row.given);
    await writer.add(kind.name, object);
  };
  await readListings({ client, kinds, given, side: "source", report, stop, take, gathered });
  for (let opened = registry; ;) {
    const more = await furtherKinds({ registry: opened, plan, index, given, listed });
    if (more.size === 0) break;
    opened = await options.open(more);
    const further = opened.moved().filter(({ name }) => more.has(name));
    await readListings({ client, kinds: further, given, side: "source", report, stop, take });
    for (const kind of further) listed.add(kind.name);
    kinds.push(...further);
  }
  const hidden = kinds.filter(isFetched).filter(({ name }) => !index.holds(name));
  const counts: Record<string, number> = {};
  for (const kind of hidden) {
    const objects = [...index.selectables()];
    const { select: selection } = plan;
    const wanted = await unlistedAtSource({ client, registry, kind, given, objects, selection, stop });
    given.add(
      thingOver(kind),
      wanted.map(({ record }) => record),
    );
    const takeOne = async ({ record }: (typeof wanted)[number], body: JsonObject): Promise<void> => {
      const object = kind.accept(body, given.find);
      counts[kind.name] = (counts[kind.name] ?? 0) + 1;
      const called = { urn: kind.locate(record) ?? "", name: kind.called(record), body };
      await take(kind, withinDepth(object ?? called));
    };
    await readOneByOne({ client, side: "source", wanted, report, stop, take: takeOne });
  }

  foresight?.listed();
  const holderOf = holderIn(registry, {
    urns: (name) => Array.from(index.rows([name]), ({ urn }) => urn),
    find: given.find,
  });
  do {
    const { why } = select(index.selectables(), plan.select);
    await readGiven(registry, given, index.referencesOf(why), (name) => {
      report({ type: "read", side: "source", kind: name, count: given.records(name).size });
    });
    // What stands in something that is moved brings it along, with what that refers to itself.
  } while (index.follow(holderOf));
  for (const kind of registry.given()) {
    for (const record of given.records(kind.name).values()) await writer.add(kind.name, record);
  }
  const snapshot = await writer.finishAndOpen({
    kinds: Object.fromEntries(
      [...kinds, ...registry.given()].map((kind) => {
        const reason = given.notKnown(kind.name);
        // What was read for this selection alone says nothing about what is gone.
        const complete = !isGiven(kind) && !hidden.some(({ name }) => name === kind.name);
        const asked = isGiven(kind) ? undefined : kind.asked?.();
        return [
          kind.name,
          {
            complete,
            ...(reason === undefined ? {} : { reason }),
            ...(asked === undefined ? {} : { asked: [...asked].sort() }),
          },
        ];
      }),
    ),
    notes: {
      kinds: [...listed],
      unrecognised: index.unrecognised(),
      unnamed: index.unnamed(),
      ...(Object.keys(counts).length === 0 ? {} : { unlisted: counts }),
    },
  });
  return { snapshot, index };
}

/** Follows references into given kinds until nothing new turns up: attribute to item to source. */
async function readGiven(
  registry: Registry,
  given: GivenReader,
  wanted: { readonly byKind: ReadonlyMap<string, TextSet>; readonly unclaimed: Set<string> },
  done: (kind: string) => void,
): Promise<void> {
  await together([
    followReferences(registry, given, wanted.byKind, done),
    discover(registry, given, wanted.unclaimed, done),
  ]);
}

async function followReferences(
  registry: Registry,
  given: GivenReader,
  wanted: ReadonlyMap<string, TextSet>,
  done: (kind: string) => void,
): Promise<void> {
  let fresh = wanted;
  const finished = new TextSet();
  for (let round = 0; round < 10 && fresh.size > 0; round += 1) {
    await readTogether(registry.given(), async ({ name }) => {
      const urns = fresh.get(name);
      if (urns === undefined) return;
      await given.given(name, urns);
      done(name);
    });
    const next = new Map<string, TextSet>();
    for (const urns of fresh.values()) for (const urn of urns) finished.add(urn);
    for (const kind of registry.given()) {
      for (const urn of fresh.get(kind.name) ?? []) {
        const record = given.find(kind.name, urn);
        if (record === undefined) continue;
        for (const reference of references(record.body)) {
          if (reference.form !== "urn" || reference.value === urn) continue;
          const other = registry.givenOf(urnType(reference.value) ?? "");
          if (other === undefined || !kind.after.includes(other.name) || finished.has(reference.value))
            continue;
          const urns = next.get(other.name) ?? new TextSet();
          urns.add(reference.value);
          next.set(other.name, urns);
        }
      }
    }
    fresh = next;
  }
}

/** What nothing else claims may be a part of a given thing, such as a result of a dimension: one kind after the other says. */
async function discover(
  registry: Registry,
  given: GivenReader,
  unclaimed: Set<string>,
  done: (kind: string) => void,
): Promise<void> {
  for (const kind of registry.given()) {
    if (kind.discovers !== true || unclaimed.size === 0) continue;
    await given.given(kind.name, unclaimed);
    done(kind.name);
    for (const record of given.records(kind.name).values()) {
      for (const reference of references(record.body)) unclaimed.delete(reference.value);
    }
  }
}
