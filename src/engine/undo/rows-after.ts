import type { MappingEntry } from "../../model/mapping.ts";

/** A rollback that was settled knows that a part has a new key, and not yet whose the old one was. */
export function isUntidy(entry: MappingEntry | undefined): entry is MappingEntry {
  const { keys = {} } = entry ?? {};
  return Object.values(keys).some((key) => Object.hasOwn(keys, key));
}

export function tidied({ keys = {}, ...rest }: MappingEntry): MappingEntry {
  const old = new Set(Object.values(keys));
  const direct = Object.entries(keys).filter(([source]) => !old.has(source));
  return {
    ...rest,
    keys: Object.fromEntries(direct.map(([source, key]): [string, string] => [source, keys[key] ?? key])),
  };
}

/** Nothing is known any more of what either side was. */
export function unknown({
  sourceFingerprint: _source,
  ownFingerprint: _own,
  targetFingerprint: _target,
  ...rest
}: MappingEntry): MappingEntry {
  return rest;
}
