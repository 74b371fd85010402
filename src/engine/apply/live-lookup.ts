import type { JsonObject } from "../../model/json.ts";
import { without } from "../../model/fields.ts";
import type { Change } from "../../model/change.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { Plan } from "../../model/plan.ts";
import { ownPrint } from "../../model/own-print.ts";
import { strip } from "../../model/shape.ts";
import type { Lookup, Resolution } from "../../model/translate.ts";
import { translated } from "../facets/translated.ts";
import { formatUrn, parseUrn, uuidOf } from "../../model/urn.ts";
import type { LinkKind, ModelTypes, MovedKind, OverlayKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { SnapshotReader } from "../../store/index.ts";
import type { OwnUrns } from "../read/own-urns.ts";
import { ownUrnsOfTarget } from "../read/own-urns.ts";
import type { TargetState } from "../read/target.ts";
import { modelTypes } from "../facets/model-types.ts";
import { isLocated, liesOver } from "../facets/standing.ts";
import type { Renewed } from "../diff/renewed.ts";
import type { Inside } from "../pair/pairing.ts";
import { twinUuids } from "../pair/twin-uuids.ts";
import type { Births } from "./births.ts";

/**
 * Where the diff led references otherwise than the mapping does: twins that policy accepted and that have no row, since
 * their own adoption is not made; and what lies over a thing that has another twin by now, where nothing is written to it.
 */
export interface LedTo {
  /** Source URN to target URN. */
  readonly twins: ReadonlyMap<string, string>;
  /** Sub-entity keys of those, and their own ids, source to target. */
  readonly keys: ReadonlyMap<string, string>;
  /** Sub-entity keys of the source of which the mapping knows only what they were in another place. */
  readonly former: ReadonlySet<string>;
  /** Parts that stand under another key by now than the mapping has (or under one where it has none), until it says so. */
  readonly renewed: Renewed;
}

/** With the mapping as it is once all that the diff pairs is recorded. */
export function ledToBy({
  changes,
  registry,
  mapping,
  target: { overlays },
  renewed,
}: {
  readonly changes: readonly Change[];
  readonly registry: Registry;
  readonly mapping: MappingTable;
  readonly target: Pick<TargetState, "overlays">;
  readonly renewed: Renewed;
}): LedTo {
  const twins = new Map<string, string>();
  const keys = new Map<string, string>();
  const former = new Set<string>();
  /** Over what this run creates: they have their place with that, and their row says so. */
  const awaited = new Set<string>();
  const laidOver = registry.moved().filter((kind) => liesOver(kind) && registry.owns(kind.name));
  const isLaidOver = new Set(laidOver.map(({ name }) => name));
  for (const { action, kind, source, target, work } of changes) {
    if (target === undefined && source !== undefined && isLaidOver.has(kind)) awaited.add(source.urn);
    if (action !== "blocked" && action !== "manual") continue;
    if (work?.keys === undefined || source === undefined || target === undefined) continue;
    if (!registry.owns(kind)) continue;
    twins.set(source.urn, target.urn);
    keys.set(uuidOf(source.urn), uuidOf(target.urn));
    for (const [key, twin] of Object.entries(work.keys)) keys.set(key, twin);
  }
  for (const { name } of laidOver) {
    for (const [source, row] of mapping.entries(name)) {
      const there = overlays.named(source);
      if (there === undefined || there === row.target || twins.has(source) || awaited.has(source)) continue;
      twins.set(source, there);
      keys.set(uuidOf(source), uuidOf(there));
      for (const key of Object.keys(row.keys ?? {})) former.add(key);
    }
  }
  return { twins, keys, former, renewed };
}

/** References as they stand while changes are applied: by then everything that a body refers to exists. */
export class LiveLookup {
  readonly #mapping: MappingTable;
  readonly #target: TargetState;
  readonly #plan: Plan;
  readonly #source: SnapshotReader;
  readonly #twinUuid: (uuid: string) => string | undefined;
  readonly #births: Births | undefined;
  readonly #ledTo: LedTo;
  readonly #types: ModelTypes;
  #there: OwnUrns | undefined;
  #last: { readonly kind: MovedKind; readonly urn: string; readonly stripped: JsonObject } | undefined;

  constructor(options: {
    registry: Registry;
    mapping: MappingTable;
    target: TargetState;
    plan: Plan;
    source: SnapshotReader;
    births?: Births;
    ledTo: LedTo;
  }) {
    this.#births = options.births;
    this.#ledTo = options.ledTo;
    this.#types = modelTypes(options);
    this.#mapping = options.mapping;
    this.#target = options.target;
    this.#plan = options.plan;
    this.#source = options.source;
    this.#twinUuid = twinUuids(options.target.pairs);
  }

  readonly target = (urn: string): string | undefined => {
    const resolution = this.#urn(urn);
    return resolution.state === "target" ? resolution.urn : undefined;
  };

  /** Where something lies that is laid over what this run has created; what it held there before, where that is known. */
  laidOver(
    kind: OverlayKind | LinkKind,
    source: string,
  ): { readonly urn: string; readonly before: JsonObject | undefined } | undefined {
    const over = kind.over.urn(this.#source.body(kind.name, source)) ?? "";
    const twin = this.target(over);
    if (twin === undefined) return undefined;
    if (!isLocated(kind)) return { urn: twin, before: this.#births?.wordsOf(kind, twin) };
    const record = this.#births?.record(twin);
    const urn = record === undefined ? undefined : kind.locate(record);
    return urn === undefined ? undefined : { urn, before: this.#births?.body(kind.name, urn) };
  }

  /** Why something that a created object should have brought with it is not there. */
  unborn(urn: string): string | undefined {
    return this.#births?.missing(urn);
  }

  /**
   * The source object in the target's URN space and without some fields, after policies and before them (`said`); `open`
   * are references that have no target.
   */
  tree(
    kind: MovedKind,
    urn: string,
    keys: Readonly<Record<string, string>>,
    target: JsonObject | undefined,
    leaveOut: readonly string[] = [],
  ): { readonly tree: JsonObject; readonly said: JsonObject; readonly open: readonly string[] } {
    const lookup: Lookup = {
      urn: (value) => this.#urn(value),
      uuid: (uuid) => {
        const known = this.#ledTo.keys.get(uuid) ?? this.#mapping.uuid(uuid) ?? this.#twinUuid(uuid);
        return known === undefined ? undefined : { state: "target", uuid: known };
      },
      ownKey: (key) => (Object.hasOwn(keys, key) ? keys[key] : undefined),
    };
    const body = without(this.#said(kind, urn), leaveOut);
    const translation = translated(kind, body, lookup);
    return {
      tree: kind.adapt?.(translation.tree, this.#plan.policy, target, this.#types) ?? translation.tree,
      said: translation.tree,
      open: translation.unresolved.map((problem) => problem.value),
    };
  }

  /** What the source says by itself, for the row in the mapping. */
  own(kind: MovedKind, urn: string): { readonly ownFingerprint?: string } {
    const print = ownPrint(this.#said(kind, urn), kind.shape, kind.misfits !== undefined);
    return print === undefined ? {} : { ownFingerprint: print };
  }

  /** The source's body, stripped. Whoever builds an object asks for it, and right after that for its own print. */
  #said(kind: MovedKind, urn: string): JsonObject {
    if (this.#last?.kind !== kind || this.#last.urn !== urn)
      this.#last = { kind, urn, stripped: strip(this.#source.body(kind.name, urn), kind.shape) };
    return this.#last.stripped;
  }

  #urn(urn: string): Resolution {
    const inside = this.#target.pairs.inside.get(urn);
    if (inside !== undefined) return this.#inside(urn, inside);
    // In the order of the diff: what was paired now goes before what a row says of a given thing.
    const known = this.#target.pairs.twins.get(urn) ?? this.#object(urn) ?? this.#target.overlays.named(urn);
    if (known !== undefined) return { state: "target", urn: known };
    if (this.#target.pairs.unpaired.get(urn)?.mayDrop === true)
      return { state: "drop", reason: "the plan says so" };
    const parts = parseUrn(urn);
    const uuid = parts?.uuid ?? "";
    const key = this.#ledTo.keys.get(uuid) ?? (this.#ledTo.former.has(uuid) ? undefined : this.#key(uuid));
    if (parts !== undefined && key !== undefined) {
      return { state: "target", urn: formatUrn({ ...parts, ...this.#ownUrns(), uuid: key }) };
    }
    return { state: "unresolved", reason: "it has no target" };
  }

  /** How URNs of the target begin. What this very run has made may be the first that is known of it. */
  #ownUrns(): OwnUrns {
    if (this.#there !== undefined) return this.#there;
    const there = ownUrnsOfTarget(this.#target, this.#mapping, this.#plan.target.realm);
    if (there.namespace !== undefined) this.#there = there;
    return there;
  }

  /** Somebody has made the part at the target: nothing that is sent before the row of its owner says so names another one. */
  #key(uuid: string): string | undefined {
    const known = this.#mapping.key(uuid);
    const renewed = this.#ledTo.renewed.get(uuid);
    return renewed !== undefined && renewed.known === known ? renewed.twin : known;
  }

  #object(urn: string): string | undefined {
    // A row that is there names a twin that is gone, in whose place policy accepted another one.
    return this.#ledTo.twins.get(urn) ?? this.#mapping.twin(urn);
  }

  /**
   * A given thing in a moved object stands in that one's twin, and nowhere else: a person's pair of it counted when it was looked for
   * there, and where that is gone, or in another object by now, the diff has led it elsewhere.
   */
  #inside(urn: string, { holder, holderTwin, twin }: Inside): Resolution {
    const known = (this.#object(holder) === holderTwin ? twin : undefined) ?? this.#births?.twin(urn);
    return known === undefined
      ? { state: "unresolved", reason: this.unborn(urn) ?? "it has no target" }
      : { state: "target", urn: known };
  }
}
