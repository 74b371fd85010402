import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { Path, Query } from "./address.ts";
import type { Call, Reader, Writer } from "./call.ts";
import { ServiceError } from "./error.ts";
import type { Shape } from "./shapes.ts";
import { WrongShape, anyObject } from "./shapes.ts";

/** What became of a delete: `absent` when it was gone already. */
export type Deleted = "deleted" | "absent";

/** One object, or undefined when the service itself says that it does not exist. Throws ServiceError otherwise. */
export async function readOne(
  reader: Reader,
  at: Path,
  shape: Shape,
  query: Query = {},
): Promise<JsonObject | undefined> {
  return await unlessNotFound(reader.read({ method: "GET", at, query }, ({ body }) => shape(body)));
}

export async function unlessNotFound<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === "not-found") return undefined;
    throw error;
  }
}

/** A write that answers with an object. */
export async function writeOne(
  writer: Writer,
  method: "POST" | "PATCH",
  at: Path,
  body: JsonObject | undefined,
  shape: Shape,
): Promise<JsonObject> {
  const call: Call = { method, at, ...(body === undefined ? {} : { body }) };
  return await writer.write(call, (answer) => shape(answer.body));
}

/** A write whose answer is not documented: an object, or nothing (undefined). */
export async function writeSomething(
  writer: Writer,
  at: Path,
  body?: JsonObject,
): Promise<JsonObject | undefined> {
  const call: Call = { method: "POST", at, ...(body === undefined ? {} : { body }) };
  return await writer.write(call, (answer) =>
    answer.body === undefined ? undefined : anyObject(answer.body),
  );
}

/**
 * Takes away what was there a moment ago. That it does not exist is believed when reading it says so as well: whoever
 * answers the one need not be who answers the other. Throws ServiceError `refused` for what is still there.
 */
export async function removeObject(
  { reader, writer }: { readonly reader: Reader; readonly writer: Writer },
  at: Path,
): Promise<Deleted> {
  const done = await remove(writer, at);
  if (done === "deleted" || (await readOne(reader, at, anyObject)) === undefined) return done;
  const { path } = at;
  throw new ServiceError(
    `DELETE ${path} at "${reader.environment}": it does not exist, says the answer, and it is there when it is read. It is not deleted.`,
    { kind: "refused", arrived: "no", method: "DELETE", path },
  );
}

/** DELETE answers 204. What is gone already needs no delete; a body that is no object is not the service's. */
export async function remove(writer: Writer, at: Path): Promise<Deleted> {
  const done = await unlessNotFound(
    writer.write({ method: "DELETE", at }, ({ body }): Deleted => {
      if (body !== undefined && !isObject(body)) throw new WrongShape("it is no JSON object");
      return "deleted";
    }),
  );
  return done ?? "absent";
}

/** The service takes 1 to 100 items; more would be refused as a whole. Throws ServiceError `refused`, nothing sent. */
export function checkSize(items: readonly Json[], at: Path): void {
  if (items.length >= 1 && items.length <= 100) return;
  throw new ServiceError(
    `POST ${at.path}: a batch holds 1 to 100 items, not ${items.length}; nothing was sent.`,
    {
      kind: "refused",
      arrived: "no",
      method: "POST",
      path: at.path,
    },
  );
}
