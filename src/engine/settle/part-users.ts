import type { MovedKind } from "../../kinds/kind.ts";
import { printOf } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import { subEntityKeys } from "../../model/sub-entity.ts";
import type { User, UsersOptions } from "../checks/users.ts";
import { findUsers } from "../checks/users.ts";
import { namesItsParts } from "../facets/standing.ts";
import type { MappingTable } from "../../model/mapping-table.ts";

/**
 * Who keeps a draft that an interrupted run left from being published, since that takes out a part which somebody has come to refer to.
 * What is as runs have left it was to follow, to a new part in its place, and does so by the diff that comes after this.
 */
export async function userOfPartGone(
  {
    kind,
    target,
    published,
    draft,
  }: {
    readonly kind: MovedKind;
    readonly target: string;
    readonly published: JsonObject;
    readonly draft: JsonObject;
  },
  { mapping, ...options }: UsersOptions & { readonly mapping: MappingTable },
): Promise<User | undefined> {
  if (!namesItsParts(kind)) return undefined;
  const after = subEntityKeys(draft);
  const parts = [...subEntityKeys(published)].filter((key) => !after.has(key));
  if (parts.length === 0) return undefined;
  const users = await findUsers([{ kind: kind.name, urn: target, parts }], options);
  const isAsLeft = ({ kind: name, urn }: User): boolean => {
    const moved = options.registry.movedKind(name);
    const source = mapping.claim(name, urn);
    if (moved === undefined || source === undefined || !options.snapshot.has(name, urn)) return false;
    return (
      mapping.get(name, source)?.targetFingerprint === printOf(options.snapshot.body(name, urn), moved.shape)
    );
  };
  return users.of(target).find((user) => !isAsLeft(user));
}
