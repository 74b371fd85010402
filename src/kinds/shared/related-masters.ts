import { display } from "../../model/display.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { fromEntries, own } from "../../model/json.ts";
import type { StoredRecord } from "../../service/index.ts";
import { isCarried, keyTextOf, mastersByKey } from "./master-lookup.ts";
import { keyParts, masterRelation, masterRelationName } from "./master-rows.ts";
import type { MasterContext } from "./master-rows.ts";
import type { Ends } from "./other-parents.ts";
import { shown } from "./row-values.ts";

/** How masters of a view are told apart at the target. */
export function masterEnds({ of, plan: { key }, keyOf, textOf, client }: MasterContext): Ends {
  const called = (parts: readonly Json[]): string => parts.map((part) => display(shown(part))).join(" / ");
  return {
    entity: of.entity,
    of: (entity) => ({ ...of, entity }),
    end(name) {
      const relation = masterRelation(name);
      if (relation === undefined) return undefined;
      const { role, entity, key: parts } = relation;
      return { name, role, entity, key: name, called: `the ${display(entity)} ${called(parts)}` };
    },
    async read(ends, preload) {
      const found = new Map<string, StoredRecord>();
      for (const [entity, group] of Map.groupBy(ends, (end) => end.entity)) {
        const [columns, text] = [keyOf(entity) ?? [], await textOf(entity)];
        const wanted = group.flatMap(({ name }) => masterRelation(name) ?? []);
        const keys = wanted.map((relation) => relation.key);
        const there = await mastersByKey(client, { ...of, entity }, columns, keys, text, preload);
        for (const relation of wanted) {
          const [record, ...more] = there.get(keyTextOf(columns, relation.key, text)) ?? [];
          if (record !== undefined && more.length === 0) found.set(masterRelationName(relation), record);
        }
      }
      return found;
    },
    start({ attributes }) {
      const parts = keyParts(key, attributes);
      if (parts.some((part) => part === null || part === "")) return undefined;
      return { called: `the ${display(of.entity)} ${called(parts)}`, values: keyIn(attributes) };
    },
    keyIn,
  };

  function keyIn(values: JsonObject): JsonObject {
    return fromEntries(key.map((column) => [column, own(values, column) ?? null]));
  }
}

/** Which of these attributes are relations to masters that are not at the target, by whatever their entity is told apart. */
export async function deadMasters(
  attributes: readonly string[],
  { of, keyOf, textOf, client }: MasterContext,
): Promise<ReadonlySet<string>> {
  // Whether one is there that cannot be asked for nobody knows.
  const relations = attributes
    .flatMap((name) => masterRelation(name) ?? [])
    .filter((relation) => isCarried(relation.key));
  const dead = new Set<string>();
  for (const [entity, group] of Map.groupBy(relations, (relation) => relation.entity)) {
    const columns = keyOf(entity);
    // Nobody can look for what the plan names no key of.
    if (columns === undefined) continue;
    const text = await textOf(entity);
    const keys = group.map((relation) => relation.key);
    const there = await mastersByKey(client, { ...of, entity }, columns, keys, text);
    for (const relation of group)
      if (!there.has(keyTextOf(columns, relation.key, text))) dead.add(masterRelationName(relation));
  }
  return dead;
}
