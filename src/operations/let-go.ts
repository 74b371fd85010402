import { isAddressable } from "../engine/apply/address.ts";
import { standsAlone } from "../engine/facets/standing.ts";
import { stepNamed } from "../engine/facets/steps.ts";
import { GivenReader } from "../engine/read/given-reader.ts";
import { readListings } from "../engine/read/listing.ts";
import type { Registry } from "../kinds/registry.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { ServiceError } from "../service/index.ts";
import type { Abandoned, SnapshotReader } from "../store/index.ts";
import type { Migration } from "./migration.ts";
import type { WritingState } from "./state.ts";

/**
 * Creations that a person abandoned, and whose object the source has no more: there is nothing left to be sent, or to be
 * kept from being sent. Those that the run has read are there without asking; each other one is asked for by itself.
 */
export async function letGoOfGone(
  migration: Migration,
  { lease, mapping }: Pick<WritingState, "lease" | "mapping">,
  source: Pick<SnapshotReader, "kinds" | "has">,
): Promise<readonly Diagnostic[]> {
  const { state } = migration.store;
  const abandoned = await state.abandoned();
  const absent = [...abandoned].filter(
    ({ kind, source: urn }) =>
      // What has a twin is somebody's orphan, which no run touches.
      mapping.get(kind, urn) === undefined && !(source.kinds().includes(kind) && source.has(kind, urn)),
  );
  const gone = await askedFor(migration, absent);
  if (gone.length === 0) return [];
  for (const { kind, source: urn } of gone) abandoned.delete(kind, urn);
  await state.saveAbandoned(lease, abandoned);
  return gone.map((entry) => letGo(migration, entry));
}

/** What the source cannot be asked about now stays as it is. */
async function askedFor(migration: Migration, absent: readonly Abandoned[]): Promise<readonly Abandoned[]> {
  try {
    return await goneAtSource(migration, absent);
  } catch (error) {
    if (error instanceof ServiceError) return [];
    throw error;
  }
}

/** Of creations that were abandoned: those whose object is not at the source any more. */
export async function goneAtSource(
  migration: Migration,
  abandoned: readonly Abandoned[],
): Promise<readonly Abandoned[]> {
  if (abandoned.length === 0) return [];
  const registry = await migration.kinds("source");
  const lists = new Map<string, ReadonlySet<string>>();
  const gone: Abandoned[] = [];
  for (const entry of abandoned) {
    const kind = registry.movedKind(entry.kind);
    if (!standsAlone(kind) || stepNamed(kind, entry.step)?.effect !== "creates") continue;
    if (kind.one !== undefined && isAddressable(kind, {})) {
      if ((await kind.one(migration.source(), entry.source, {})) === undefined) gone.push(entry);
      continue;
    }
    // Its address went with it: no request can name it.
    const list = lists.get(kind.name) ?? (await listed(migration, registry, kind.name));
    lists.set(kind.name, list);
    if (!list.has(entry.source)) gone.push(entry);
  }
  return gone;
}

async function listed(migration: Migration, registry: Registry, name: string): Promise<ReadonlySet<string>> {
  const urns = new Set<string>();
  const client = migration.source();
  await readListings({
    client,
    kinds: registry.moved().filter((kind) => kind.name === name),
    given: new GivenReader(client, registry),
    side: "source",
    report: migration.report,
    take: (_kind, { urn }) => void urns.add(urn),
  });
  return urns;
}

export function letGo(migration: Migration, { kind, source, name }: Abandoned): Diagnostic {
  const { source: from, target } = migration.plan;
  return {
    severity: "info",
    code: "abandoned-gone",
    coordinate: { kind, urn: source, name },
    summary: `it had been abandoned, and is not at ${from.name} any more: it is off the list, and nothing is sent for it`,
    suggestion: `What the request in doubt may have made is left as it is: look for "${name}" at ${target.name}, and remove it there if nobody wants it.`,
  };
}
