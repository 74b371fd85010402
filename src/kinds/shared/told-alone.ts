import type { JsonObject } from "../../model/json.ts";
import { own } from "../../model/json.ts";

/** Reads a thing that a list has shown by itself. */
type Alone = (thing: JsonObject) => Promise<JsonObject | undefined>;

/**
 * The pages of a list that may leave out what a thing tells when it is read alone: no document says of it that it shows these fields.
 * Where it has shown none of a group of them yet one thing is read alone, once; where that tells one, each thing is, until the list
 * shows it of something.
 */
export async function* withToldAlone(
  pages: AsyncIterable<readonly JsonObject[]>,
  groups: readonly (readonly string[])[],
  alone: Alone,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  let open = groups;
  let isAsked = false;
  for await (const page of pages) {
    open = open.filter((fields) => !page.some((thing) => tells(thing, fields)));
    if (open.length > 0 && !isAsked) {
      const first = await firstOf(page, alone);
      isAsked = first !== undefined;
      open = open.filter((fields) => first === undefined || tells(first, fields));
    }
    yield open.length === 0 ? page : await Promise.all(page.map(async (thing) => whole(thing, alone)));
  }
}

function tells(thing: JsonObject, fields: readonly string[]): boolean {
  return fields.some((field) => own(thing, field) !== undefined);
}

/** One that is not gone by now. */
async function firstOf(page: readonly JsonObject[], alone: Alone): Promise<JsonObject | undefined> {
  for (const thing of page) {
    const found = await alone(thing);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What was asked for in the list alone stays; so does all that it has shown of what is gone by now. */
async function whole(thing: JsonObject, alone: Alone): Promise<JsonObject> {
  return { ...thing, ...(await alone(thing)) };
}
