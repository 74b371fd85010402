import type { EntityKind, MovedKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import { keyText } from "../../model/key.ts";
import type { Plan } from "../../model/plan.ts";
import { urnType } from "../../model/urn.ts";
import type { GivenReader } from "./given-reader.ts";
import { kindsToList, select, tolerant } from "./selection.ts";
import type { Chosen } from "./selection.ts";
import type { SourceIndex } from "./source-index.ts";
import type { SourceRow } from "./source-rows.ts";

/**
 * Kinds that no kind of the plan always refers to, and that something selected does refer to: the metadata model lets
 * a property lead anywhere. They are listed only then, with the kinds that these refer to; what none of them turns out
 * to have stays a reference to something unknown.
 */
export async function furtherKinds(options: {
  readonly registry: Registry;
  readonly plan: Plan;
  readonly index: SourceIndex;
  readonly given: GivenReader;
  /** Moved kinds that were listed. */
  readonly listed: ReadonlySet<string>;
}): Promise<ReadonlySet<string>> {
  const { registry, plan, index, given, listed } = options;
  const found = new Set<MovedKind>();
  if (plan.select.dependencies !== "include") return new Set();
  const able = registry
    .moved()
    .filter(
      ({ name, mayReferTo = [] }) => listed.has(name) && mayReferTo.some((other) => !listed.has(other)),
    );
  /** Given things of which some are moved as another kind: imported items, and those that people made. */
  const unclear = new Map<EntityKind, Set<string>>();
  let why: Chosen | undefined;
  const isSelected = ({ kind, urn }: SourceRow): boolean => {
    why ??= select(index.rows(), tolerant(plan.select)).why;
    return why.has(keyText(kind, urn));
  };
  for (const { name, mayReferTo = [] } of able) {
    for (const row of index.rows([name])) {
      for (const reference of row.refersTo) {
        const type = urnType(reference) ?? "";
        for (const kind of registry.movedAs(type)) {
          if (listed.has(kind.name) || found.has(kind) || !mayReferTo.includes(kind.name)) continue;
          if (kind.isListable?.(plan) === false || !isSelected(row)) continue;
          if (registry.givenOf(type) === undefined) found.add(kind);
          else unclear.set(kind, (unclear.get(kind) ?? new Set()).add(reference));
        }
      }
    }
  }
  for (const [kind, urns] of unclear) {
    const { births } = kind;
    if (births === undefined) continue;
    const records = await given.given(births.as, urns);
    const isOne = (urn: string): boolean => {
      const record = records.get(urn);
      return record !== undefined && births.isOne(record);
    };
    if ([...urns].some(isOne)) found.add(kind);
  }
  const named = new Set([...found].map(({ selectedAs }) => selectedAs));
  const all = kindsToList(registry, { ...plan.select, kinds: [...named] });
  return new Set([...all].filter((name) => !listed.has(name)));
}
