import type { Known } from "../engine/checks/one-environment.ts";
import { oneEnvironment, standingOf } from "../engine/checks/one-environment.ts";
import { alsoOf } from "../engine/facets/also-of.ts";
import { bounded, looksAtOnce } from "../engine/bounded.ts";
import { isLocated, liesOver, onlyAdds } from "../engine/facets/standing.ts";
import { GivenReader } from "../engine/read/given-reader.ts";
import { Overlays } from "../engine/read/overlays.ts";
import type { Fetched } from "../engine/read/unlisted.ts";
import { isFetched, readOneByOne, thingOver } from "../engine/read/unlisted.ts";
import type { Deed } from "../engine/undo/deed.ts";
import { onRecord } from "../engine/undo/deed.ts";
import type { Found, MovedKind } from "../kinds/kind.ts";
import { isObject } from "../model/json.ts";
import { keyText } from "../model/key.ts";
import { readListings } from "../engine/read/listing.ts";
import type { TargetState } from "../engine/read/target.ts";
import { readOf } from "../engine/read/target.ts";
import type { ReadClient } from "../service/index.ts";
import type { Migration } from "./migration.ts";
import { FoundTable } from "../model/packed/found-table.ts";

/**
 * What stands at the target, of some kinds: whatever the plan selects by now. Nothing is paired. `known` are objects of
 * the source: where they stand, nothing is ever written. Of `deeds`, what has other types than the plan names is listed as
 * well, and what no list shows and lies over something is read by itself.
 */
export async function readStanding(
  migration: Migration,
  wanted: ReadonlySet<string>,
  client: ReadClient,
  known: Known,
  deeds: readonly Deed[] = [],
): Promise<TargetState> {
  migration.report({ type: "stage", stage: "read target", detail: migration.plan.target.name });
  migration.remember(wanted);
  const registry = await migration.changedKinds((kind) =>
    alsoOf(
      kind,
      deeds.flatMap((deed) => (deed.kind === kind.name ? [onRecord(deed)] : [])),
    ),
  );
  const kinds = registry.moved().filter(({ name }) => wanted.has(name));
  const writer = await migration.store.work.createSnapshot("target", new Date(migration.now()).toISOString());
  const { report, stop } = migration;
  const given = new GivenReader(client, registry);
  const seen = new Set<string>();
  const shown = new Set<string>();
  try {
    await readListings({
      client,
      kinds,
      given,
      side: "target",
      report,
      stop,
      take: async ({ name }, object) => {
        seen.add(keyText(name, object.urn));
        shown.add(name);
        await writer.add(name, object);
      },
    });
    // Before anything else is asked for there, by URNs that this side may not even take for its own.
    const shared = standingOf({ has: (kind, urn) => seen.has(keyText(kind, urn)) }, known);
    if (shared !== undefined) throw oneEnvironment(migration.parties, shared);
    const unlisted = deeds.filter(({ kind, target }) => !seen.has(keyText(kind, target)));
    await readOneByOne({
      client,
      side: "target",
      wanted: await overlaid(unlisted, kinds, given),
      report,
      stop,
      take: async ({ kind, deed }, body) =>
        writer.add(kind.name, { urn: deed.target, name: deed.name, body }),
    });
    // What has no URN of its own is said of something that may be listed for another plan alone, and there is none of it only where that is gone.
    await bounded(unlisted, looksAtOnce, async ({ kind: name, name: called, target, intent: { whole } }) => {
      const kind = kinds.find((one) => one.name === name);
      if (!liesOver(kind) || isLocated(kind) || onlyAdds(kind)) return;
      const body = await kind.one?.(client, target, isObject(whole) ? whole : {});
      if (body !== undefined) await writer.add(name, { urn: target, name: called, body });
    });
    const complete = kinds.map((kind) => [kind.name, readOf(kind, shown)] as const);
    const snapshot = await writer.finishAndOpen({ kinds: Object.fromEntries(complete), notes: {} });
    return {
      snapshot: migration.keep(snapshot),
      pairs: {
        twins: new Map(),
        unpaired: new Map(),
        unlisted: new Map(),
        supposed: new Map(),
        untold: new Set(),
        inside: new Map(),
        records: new FoundTable(),
      },
      overlays: new Overlays(),
    };
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

/** What was changed that lies over something, with that: the intent remembers which it was. */
async function overlaid(
  deeds: readonly Deed[],
  kinds: readonly MovedKind[],
  given: GivenReader,
): Promise<readonly { readonly kind: Fetched; readonly record: Found; readonly deed: Deed }[]> {
  const found: { kind: Fetched; record: Found; deed: Deed }[] = [];
  for (const kind of kinds.filter(isFetched)) {
    const over = deeds.flatMap((deed) => {
      const urn = isObject(deed.intent.whole) ? kind.over.urn(deed.intent.whole) : undefined;
      return deed.kind === kind.name && urn !== undefined ? [{ deed, urn }] : [];
    });
    if (over.length === 0) continue;
    const records = await given.given(
      thingOver(kind),
      over.map(({ urn }) => urn),
    );
    for (const { deed, urn } of over) {
      const record = records.get(urn);
      // Another one in its place is not what was changed.
      if (record !== undefined && kind.locate(record) === deed.target) found.push({ kind, record, deed });
    }
  }
  return found;
}
