import { EngineError } from "../engine/progress.ts";
import { wordFor } from "../engine/word-for.ts";
import type { GivenKind, MovedKind } from "../kinds/kind.ts";
import { keyText } from "../model/key.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import { isUrn, urnType } from "../model/urn.ts";
import { didYouMean } from "../plan/nearest.ts";
import type { Migration } from "./migration.ts";
import type { Tenants } from "./pair-sides.ts";
import { refuseOtherSides } from "./pair-sides.ts";

export interface Pair {
  readonly kind?: string | undefined;
  readonly source: string;
  readonly target: string;
  readonly name?: string | undefined;
}

/** What is known of the pairs beside which one is named. */
interface Beside {
  readonly tenants: Tenants;
  /** Keys of the sources that pairs before it have set: of these the mapping on disk knows nothing yet. */
  readonly set?: ReadonlySet<string>;
  /** They stand in a file, and not on the command line. */
  readonly inFile?: boolean | undefined;
}

/** What no reading is needed for to know that the pair cannot be. */
export function refusePair(
  migration: Migration,
  mapping: MappingTable,
  pair: Pair,
  { tenants, set, inFile }: Beside,
): void {
  const { kind, source, target } = pair;
  refuseUnknownKind(migration, kind);
  for (const urn of [source, target]) {
    if (isUrn(urn)) continue;
    throw new EngineError(
      "selection",
      `"${urn}" is not a URN`,
      "A URN looks like urn:<namespace>:<tenant>:<area>:<type>:<uuid>.",
    );
  }
  if (urnType(source) !== urnType(target))
    throw new EngineError(
      "selection",
      `${source} and ${target} are different types of things`,
      "Correct the pair: both are of one type.",
    );
  refuseOtherSides(migration.plan, pair, tenants);
  if (kind !== undefined && !migration.registry.mayBe(kind, urnType(source) ?? "")) {
    throw new EngineError(
      "selection",
      `${source} is none of the kind ${kind}`,
      inFile === true
        ? `Say in the file that it is of the kind ${kindOf(migration, source)}, or leave its kind out there.`
        : `Leave --kind out: it is of the kind ${kindOf(migration, source)}.`,
    );
  }
  const meant = kindOfPair(migration, mapping, pair);
  const before = mapping.get(meant, source);
  const oneOfThem = "Leave one of the two pairs out, and run it again.";
  if (before !== undefined && before.target !== target) {
    if (set?.has(keyText(meant, source)) === true)
      throw new EngineError(
        "selection",
        `${source} is in two pairs: with ${before.target} and with ${target}`,
        oneOfThem,
      );
    throw new EngineError(
      "selection",
      `${source} is mapped already: to ${before.target} (${before.origin})`,
      `Take that pair away first: ferry mappings ${migration.plan.name} remove ${wordFor(migration.registry, meant, source)}`,
    );
  }
  const claimed = mapping.takenBy(meant, target);
  if (claimed !== undefined && claimed !== source) {
    if (set?.has(keyText(meant, claimed)) === true)
      throw new EngineError(
        "selection",
        `${target} is in two pairs: with ${claimed} and with ${source}`,
        oneOfThem,
      );
    throw new EngineError(
      "selection",
      `${target} is already the twin of ${claimed}`,
      `Take that pair away first: ferry mappings ${migration.plan.name} remove ${wordFor(migration.registry, meant, claimed)}`,
    );
  }
}

export function refuseUnknownKind(migration: Migration, kind: string | undefined): void {
  const known = kindsOf(migration)
    .map(({ name }) => name)
    .concat("others");
  if (kind === undefined || known.includes(kind)) return;
  const suggestion = didYouMean(kind, known) ?? `Kinds: ${known.join(", ")}.`;
  throw new EngineError("selection", `there is no kind "${kind}"`, suggestion);
}

/**
 * As it is mapped, else as the person says, else by the type of its URN. That does not always tell of which kind a thing is (an SQL
 * item is a catalog item, and any type may be an entity): a file of pairs that was written before the first run names it
 * otherwise, and what is known of the thing is in the one row that there is. What lies over it has a row of its own.
 */
export function kindOfPair(migration: Migration, mapping: MappingTable, { kind, source }: Pair): string {
  const isOver = kind !== undefined && !migration.registry.owns(kind);
  return (isOver ? kind : mapping.named(source)?.kind) ?? kind ?? kindOf(migration, source);
}

/** The kind that a URN belongs to; `others` for types that no kind knows. */
export function kindOf({ registry }: Migration, urn: string): string {
  return registry.kindOf(urnType(urn) ?? "") ?? "others";
}

function kindsOf({ registry }: Migration): readonly (MovedKind | GivenKind)[] {
  return [...registry.moved(), ...registry.given()];
}
