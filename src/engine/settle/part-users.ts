import type { MovedKind } from "../../kinds/kind.ts";
import { printOf } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import { subEntityKeys } from "../../model/sub-entity.ts";
import type { User, UsersOptions } from "../checks/users.ts";
import { findUsers } from "../checks/users.ts";
import { namesItsParts } from "../facets/standing.ts";
import type { MappingTable } from "../../model/mapping-table.ts";

/**
 * What keeps a draft that an interrupted run left from being published, since that takes out a part which somebody has come to refer to.
 * What is as runs have left it was to follow, to a new part in its place, and does so by the diff that comes after this. A list that is
 * refused shows nobody, and that is no absence: what the interrupted run had told of it, whoever runs this need not have seen.
 */
export async function partStillUsed(
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
): Promise<string | undefined> {
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
  const user = users.of(target).find((one) => !isAsLeft(one));
  if (user !== undefined)
    return `the draft that an interrupted run left takes out a part of it that ${user.kind} "${user.name}" at the target refers to by now (${user.urn}); take the reference out there, or discard the draft in the web application, and run again`;
  const unseen = users.unknown(kind.name)?.why;
  return unseen === undefined
    ? undefined
    : `the draft that an interrupted run left takes out a part of it, and whether something at the target refers to that is not known: ${unseen}; look who uses it in the web application, publish or discard the draft, and run again`;
}
