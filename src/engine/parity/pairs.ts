import type { Found, MovedKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import { text } from "../../model/json.ts";
import { keyText } from "../../model/key.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { Selection } from "../../model/plan.ts";
import type { MonitorPlace, ReadClient } from "../../service/index.ts";
import { select } from "../read/selection.ts";

/** A pair of monitors that the mapping knows, and where each of them is. */
export interface MonitorPair {
  readonly kind: string;
  readonly source: Placed;
  readonly target: Placed;
  /** Keys of sub-entities: UUID at the source to UUID at the target. */
  readonly keys: Readonly<Record<string, string>>;
}

export interface Placed {
  readonly urn: string;
  readonly name: string;
  /** Undefined where the environment does not have it any more. */
  readonly place: MonitorPlace | undefined;
}

interface Options {
  readonly registry: Registry;
  readonly mapping: MappingTable;
  readonly selection: Selection;
  readonly source: ReadClient;
  readonly target: ReadClient;
}

export interface MonitorPairs {
  readonly pairs: readonly MonitorPair[];
  /** Pairs that evaluate nothing at either side, such as primary monitors that nobody configured. */
  readonly idle: number;
}

/** The pairs of the kinds whose runs are evaluated, as the plan selects them. */
export async function pairsOf(options: Options): Promise<MonitorPairs> {
  const kinds = options.registry.moved().filter(({ evaluated }) => evaluated !== undefined);
  const chosen = kinds.flatMap((kind) => rowsOf(kind, options));
  if (chosen.length === 0) return { pairs: [], idle: 0 };
  const [sources, targets] = await Promise.all([
    placesOf(kinds, options.source, new Map(chosen.map(({ kind, source }) => [source, kind]))),
    placesOf(kinds, options.target, new Map(chosen.map(({ kind, target }) => [target, kind]))),
  ]);
  const busy = chosen.filter(
    ({ source, target }) => sources.get(source)?.isIdle !== true || targets.get(target)?.isIdle !== true,
  );
  const pairs = busy.map(({ kind, source, target, name, keys }) => ({
    kind,
    source: { urn: source, name, place: sources.get(source)?.place },
    target: { urn: target, name: targets.get(target)?.name ?? name, place: targets.get(target)?.place },
    keys,
  }));
  return { pairs, idle: chosen.length - busy.length };
}

interface Seen {
  readonly place: MonitorPlace;
  readonly name?: string;
  readonly isIdle?: boolean;
}

interface Row {
  readonly kind: string;
  readonly source: string;
  readonly target: string;
  readonly name: string;
  readonly keys: Readonly<Record<string, string>>;
}

function rowsOf(kind: MovedKind, { mapping, selection }: Options): readonly Row[] {
  const rows = [...mapping.entries(kind.name)].map(([source, { target, name, keys = {} }]): Row => ({
    kind: kind.name,
    source,
    target,
    name,
    keys,
  }));
  // A selector may be about other kinds, or about what was not moved yet.
  const mayBeIdle = true as const;
  const narrowed: Selection = {
    ...selection,
    include: selection.include.map((selector) => ({ ...selector, mayBeIdle })),
    exclude: selection.exclude.map((selector) => ({ ...selector, mayBeIdle })),
    dependencies: "mapped-only",
  };
  const { selectedAs } = kind;
  const objects = rows.map(({ source, name }) => ({
    selectedAs,
    kind: kind.name,
    owns: true,
    urn: source,
    name,
    refersTo: [],
  }));
  const { why } = select(objects, narrowed);
  return rows.filter(({ source }) => why.has(keyText(kind.name, source)));
}

/** The kinds share their listing; where it shows none of a kind, they are looked for as the kind says. */
async function placesOf(
  kinds: readonly MovedKind[],
  client: ReadClient,
  wanted: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Seen>> {
  const places = new Map<string, Seen>();
  const context = { kinds: new Set(kinds.map(({ name }) => name)), given: async () => none };
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  for (const feed of new Map(kinds.map((kind) => [kind.feed.name, kind.feed])).values()) {
    for await (const page of feed.pages(client, context)) {
      for (const body of page) {
        const urn = text(body, "urn") ?? "";
        const evaluated = byName.get(wanted.get(urn) ?? "")?.evaluated;
        const item = evaluated?.item(body);
        if (evaluated === undefined || item === undefined) continue;
        const name = evaluated.called?.(body);
        const place = { item, monitor: urn };
        places.set(urn, {
          place,
          isIdle: evaluated.isIdle(body),
          ...(name === undefined ? {} : { name }),
        });
      }
    }
  }
  for (const { name, evaluated } of kinds) {
    const own = [...wanted].filter(([, kind]) => kind === name).map(([urn]) => urn);
    if (evaluated?.elsewhere === undefined || own.length === 0 || own.some((urn) => places.has(urn)))
      continue;
    const missing = new Set(own);
    for await (const { urn, item } of evaluated.elsewhere(client))
      if (missing.has(urn)) places.set(urn, { place: { item, monitor: urn } });
  }
  return places;
}

const none: ReadonlyMap<string, Found> = new Map();
