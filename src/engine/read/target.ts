import type { Found, MovedKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import { keyText } from "../../model/key.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { FoundTable } from "../../model/packed/found-table.ts";
import type { Plan } from "../../model/plan.ts";
import { urnType } from "../../model/urn.ts";
import type { ReadClient } from "../../service/index.ts";
import type { SnapshotFinish, SnapshotReader, SnapshotWriter } from "../../store/index.ts";
import { withinDepth } from "./depth.ts";
import type { Early } from "./foresight.ts";
import { nothingEarly } from "./foresight.ts";
import { FieldsByKind } from "./fields-by-kind.ts";
import { gathering, withGathered } from "./gather.ts";
import { GivenReader } from "./given-reader.ts";
import { readListings } from "./listing.ts";
import { ownUrnsMapped } from "./own-urns.ts";
import type { Pairs } from "../pair/pairing.ts";
import { pairGiven } from "../pair/pairing.ts";
import type { Report } from "../progress.ts";
import { Overlays } from "./overlays.ts";
import { together } from "../together.ts";
import { isLocated, isSilent, liesOver, standsAlone } from "../facets/standing.ts";
import { Turns } from "../turns.ts";
import type { Fetched } from "./unlisted.ts";
import { isFetched, neededOf, readOneByOne } from "./unlisted.ts";

/** The target as one reading saw it. */
export interface TargetState {
  readonly snapshot: SnapshotReader;
  readonly pairs: Pairs;
  /** Overlays and links: where the twin of each lies, whether it is there yet or not. */
  readonly overlays: Overlays;
}

export interface TargetReading extends TargetState {
  /** The given things that were read, for whoever lists the target once more. */
  readonly given: GivenReader;
}

/**
 * Lists the kinds at the target that the snapshot holds, and pairs what exists on both sides. The listing does not
 * wait for the snapshot: both sides may be read at once.
 */
export async function readTarget(options: {
  readonly client: ReadClient;
  readonly registry: Registry;
  /** The same kinds, these of them opened as well. */
  readonly open: (more: ReadonlySet<string>) => Promise<Registry>;
  readonly plan: Plan;
  readonly source: SnapshotReader | Promise<SnapshotReader>;
  /** Of moved kinds, as the snapshot has or will have them; it may turn out to have more. */
  readonly kinds: ReadonlySet<string>;
  readonly mapping: MappingTable;
  /** Aborted when there will be no snapshot; its reason is thrown. */
  readonly stop?: AbortSignal | undefined;
  /** What was begun while the source was listed. */
  readonly early?: Early | undefined;
  readonly told?: ReadonlyMap<string, string> | undefined;
  /** Called at once: whoever still reads the source for this can leave it. */
  readonly failed?: (error: unknown) => void;
  readonly createWriter: () => Promise<SnapshotWriter>;
  /** The reader is closed by whoever asked for the target. */
  readonly keep: (reader: SnapshotReader) => SnapshotReader;
  readonly report: Report;
}): Promise<TargetReading> {
  const { client, registry, plan, mapping, report, stop } = options;
  const kinds = registry.moved().filter((kind) => options.kinds.has(kind.name));
  const given = new GivenReader(client, registry);
  const gathered = gathering(registry, kinds);
  const writer = await options.createWriter();
  try {
    /** Of what may be read one by one; and of which kinds a list shows any. */
    const listed = new Set<string>();
    const shown = new Set<string>();
    const unrecognised = new FieldsByKind();
    const list = async (some: readonly MovedKind[]): Promise<void> =>
      readListings({
        client,
        kinds: some,
        given,
        side: "target",
        report,
        stop,
        gathered,
        take: async (kind, object) => {
          if (isSilent(kind, object.body)) return "left";
          if (isFetched(kind)) {
            listed.add(keyText(kind.name, object.urn));
            shown.add(kind.name);
          }
          unrecognised.addUnrecognised(kind, object.body);
          await writer.add(kind.name, object);
          return undefined;
        },
      });
    const listing = (async () => {
      await list(kinds);
      // What the source refers to is known now: its snapshot may hold kinds that nobody thought of.
      const source = await options.source;
      const more = new Set(source.kinds().filter((name) => !options.kinds.has(name)));
      if (!registry.moved().some(({ name }) => more.has(name))) return;
      const further = (await options.open(more)).moved().filter(({ name }) => more.has(name));
      await list(further);
      kinds.push(...further);
    })();
    listing.catch((error: unknown) => options.failed?.(error));
    const pairing = async (): Promise<Pairs> => {
      const source = await options.source;
      return pairGiven({
        client,
        registry,
        pairing: plan.pairing,
        mapping,
        targetUrns: ownUrnsMapped(mapping, "target", plan.target.realm),
        sourceRecords: (kind) => recordsOf(source, kind),
        sourceNotKnown: (kind) => source.manifest.kinds[kind]?.reason,
        mayDrop: (kind) => kind.mayDrop?.(plan.policy) ?? false,
        isMoved: movedIn(source, registry),
        early: withGathered(options.early ?? nothingEarly, gathered),
        told: options.told,
      });
    };
    const [, pairs] = await together([listing, pairing()]);
    const source = await options.source;

    const overlays = new Overlays();
    const unlisted: Unlisted[] = [];
    const turns = new Turns();
    for (const kind of kinds) {
      if (!liesOver(kind)) continue;
      for (const urn of source.urns(kind.name)) {
        await turns.next();
        const over = kind.over.urn(source.body(kind.name, urn));
        // One without a twin may have a pair all the same: a person's, whose other end is gone.
        const twin =
          over === undefined || pairs.unpaired.has(over)
            ? undefined
            : (mapping.twin(over) ?? pairs.twins.get(over) ?? pairs.supposed.get(over));
        if (twin === undefined) continue;
        if (!isLocated(kind)) {
          overlays.set(kind, urn, twin);
          continue;
        }
        const record = pairs.records.get(twin) ?? findOver(kind.over.kinds, given, twin);
        const located = record === undefined ? undefined : kind.locate(record);
        if (record === undefined || located === undefined) continue;
        overlays.set(kind, urn, located);
        if (!isFetched(kind) || listed.has(keyText(kind.name, located))) continue;
        listed.add(keyText(kind.name, located));
        unlisted.push({ kind, record, source: urn, urn: located });
      }
    }
    const needed = unlisted.length === 0 ? new Set<string>() : neededOf(registry, source, plan.select);
    // What an interrupted run left to be published is published whatever the plan selects.
    const isNeeded = ({ kind, source: urn }: Unlisted): boolean =>
      needed.has(keyText(kind.name, urn)) || mapping.get(kind.name, urn)?.unfinished !== undefined;
    await readOneByOne({
      client,
      side: "target",
      wanted: unlisted.filter(isNeeded),
      report,
      stop,
      take: async ({ kind, source: from, urn }, body) =>
        writer.add(kind.name, withinDepth({ urn, name: source.name(kind.name, from), body })),
    });
    for (const record of pairs.records.all()) {
      await turns.next();
      const kind = registry.givenOf(urnType(record.urn) ?? "");
      if (kind !== undefined) given.add(kind.name, [record]);
    }
    const snapshot = await writer.finishAndOpen({
      kinds: Object.fromEntries(kinds.map((kind) => [kind.name, readOf(kind, shown)])),
      notes: { unrecognised: unrecognised.toJSON() },
    });
    return { snapshot: options.keep(snapshot), pairs, overlays, given };
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

/** What a reading says of a kind; `shown` are those of which a list showed any. */
export function readOf(kind: MovedKind, shown: ReadonlySet<string>): SnapshotFinish["kinds"][string] {
  return { complete: true, ...(isFetched(kind) && !shown.has(kind.name) ? { unlisted: true } : {}) };
}

function findOver(kinds: readonly string[], given: GivenReader, urn: string): Found | undefined {
  return kinds.map((kind) => given.find(kind, urn)).find((found) => found !== undefined);
}

/** Whether a given thing of the source is an object that is moved: what the snapshot holds decides. */
export function movedIn(
  source: Pick<SnapshotReader, "kinds" | "has">,
  registry: Registry,
): (kind: string, urn: string) => boolean {
  const births = registry
    .moved()
    .flatMap((kind) => (standsAlone(kind) && kind.births !== undefined ? [[kind.births.as, kind.name]] : []))
    .filter(([, name]) => source.kinds().includes(name ?? ""));
  return (kind, urn) => births.some(([as, name]) => as === kind && source.has(name ?? "", urn));
}

/** The twin of an overlay of the source, by what it lies over. */
interface Unlisted {
  readonly kind: Fetched;
  readonly record: Found;
  readonly source: string;
  readonly urn: string;
}

function recordsOf(snapshot: SnapshotReader, kind: string): readonly Found[] {
  if (!snapshot.kinds().includes(kind)) return [];
  const records = new FoundTable();
  for (const { urn, name, body } of snapshot.stream(kind)) records.set({ urn, name, body });
  return records.all();
}
