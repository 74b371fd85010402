import { acyclic } from "../model/graph.ts";
import type { JsonObject } from "../model/json.ts";
import { fixedIn, type Shape } from "../model/shape.ts";
import { references } from "../model/walk.ts";

/** Something that is to be deleted at the target. */
export interface Deleted {
  /** Of whatever deletes it. */
  readonly id: string;
  readonly urn: string;
  readonly body: JsonObject;
  readonly shape: Pick<Shape, "fixed"> | undefined;
}

/**
 * What goes before each, by id: whatever refers to it. Those in a circle do not wait for each other, but for what stands
 * inside of them, since the service deletes only what is empty. `more` are users that are told besides.
 */
export function deletedBefore(
  deleted: readonly Deleted[],
  more: Iterable<readonly [urn: string, user: string]> = [],
): readonly (readonly [string, readonly string[]])[] {
  const ids = new Map(deleted.map(({ id, urn }) => [urn, id]));
  const empty = (): Map<string, string[]> => new Map(deleted.map(({ id }) => [id, []]));
  const [users, inside] = [empty(), empty()];
  const note = (graph: Map<string, string[]>, urn: string, user: string): void => {
    const id = ids.get(urn);
    if (id !== undefined && id !== user) graph.get(id)?.push(user);
  };
  for (const { id, body, shape } of deleted) {
    for (const { value } of references(body)) note(users, value, id);
    for (const { value } of references(fixedIn(body, shape))) note(inside, value, id);
  }
  for (const [urn, user] of more) note(users, urn, user);
  return acyclic(users, inside);
}
