import type { MappingTable } from "../../model/mapping-table.ts";
import type { Plan } from "../../model/plan.ts";
import { once } from "../../model/once.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import { UuidPool } from "../../model/packed/uuid-pool.ts";
import { parseUrn, plainUuid, uuidOf } from "../../model/urn.ts";
import { mentionedUrn, walk } from "../../model/walk.ts";
import type { SnapshotReader } from "../../store/index.ts";
import { ownUrnsOfSource, ownUrnsOfTarget } from "./own-urns.ts";
import type { TargetState } from "./target.ts";

/** By what the source is known again at the target. */
export interface SourceMarks {
  readonly source: SnapshotReader;
  /** By which the tenants are known where their URNs are not; two servers may have one. */
  readonly realms: { readonly source: string; readonly target: string };
}

export function marksOf(
  { source: from, target }: Pick<Plan, "source" | "target">,
  source: SnapshotReader,
): SourceMarks {
  return { source, realms: { source: from.realm, target: target.realm } };
}

type Both = SourceMarks & {
  readonly target: Pick<TargetState, "snapshot" | "pairs">;
  readonly mapping: MappingTable;
};

/**
 * Ids that lead to the source: URNs of its tenant, and the UUIDs of its objects, of their parts and of given things. A
 * UUID does not say whose it is, nor does a URN where both tenants have one name: it is the source's when the source has
 * it and the target has not.
 */
export class SourceIds {
  readonly #both: Both;

  constructor(both: Both) {
    this.#both = both;
  }

  /** A URN, one that is encoded, or a UUID; in addresses ids are written in any letters, and without hyphens too. */
  has(id: string): boolean {
    const { source, target } = this.#tenants();
    const urn = parseUrn(mentionedUrn(id) ?? id);
    if (urn !== undefined && (source !== target || urn.tenant !== source)) return urn.tenant === source;
    const uuid = plainUuid(urn?.uuid ?? id);
    return uuid !== "" && this.#isOfSource(uuid) && !this.#atTarget().has(uuid);
  }

  /** Whether it is the UUID of an object or of a given thing, as the service writes them. */
  isThing(uuid: string): boolean {
    return this.#things().has(uuid);
  }

  #isOfSource(uuid: string): boolean {
    const { mapping } = this.#both;
    return (
      this.#things().has(uuid) ||
      mapping.uuid(uuid) !== undefined ||
      mapping.key(uuid) !== undefined ||
      this.#parts().has(uuid)
    );
  }

  readonly #tenants = once(() => {
    const { source, target, mapping, realms } = this.#both;
    return {
      source: ownUrnsOfSource(source, realms.source).tenant,
      target: ownUrnsOfTarget(target, mapping, realms.target).tenant,
    };
  });

  readonly #things = once(() => {
    const { source, target } = this.#both;
    const ids = new TextSet();
    const add = (urn: string): void => {
      const uuid = uuidOf(urn);
      if (uuid !== "") ids.add(uuid.toLowerCase());
    };
    for (const kind of source.kinds()) for (const urn of source.urns(kind)) add(urn);
    for (const urn of target.pairs.twins.keys()) add(urn);
    for (const urn of target.pairs.unpaired.keys()) add(urn);
    return ids;
  });

  /**
   * What bodies hold besides: there may be many times as many parts as objects, so that they are gathered for the first
   * who meets an id that is nothing else, and what the mapping knows is not held once more.
   */
  readonly #parts = once(() => {
    const { source, mapping } = this.#both;
    const things = this.#things();
    const ids = new TextSet([], new UuidPool());
    for (const kind of source.kinds())
      for (const { body } of source.stream(kind))
        walk(body, (form, value) => {
          const uuid = form === "key" ? plainUuid(value) : uuidOf(value).toLowerCase();
          if (uuid !== "" && !things.has(uuid) && mapping.key(uuid) === undefined) ids.add(uuid);
          return value;
        });
    return ids;
  });

  /** Of its objects, the twins of given things, and the parts that the mapping knows. */
  readonly #atTarget = once(() => {
    const { target, mapping } = this.#both;
    const ids = new TextSet();
    const add = (urn: string): void => {
      ids.add(uuidOf(urn).toLowerCase());
    };
    for (const kind of target.snapshot.kinds()) for (const urn of target.snapshot.urns(kind)) add(urn);
    for (const urn of target.pairs.twins.values()) add(urn);
    for (const urn of target.pairs.records.keys()) add(urn);
    for (const kind of mapping.kinds())
      for (const entry of mapping.entries(kind).values()) {
        add(entry.target);
        for (const key of Object.values(entry.keys ?? {})) ids.add(key.toLowerCase());
      }
    return ids;
  });
}
