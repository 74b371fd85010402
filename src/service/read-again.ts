import type { JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import { parseJson } from "../model/json-text.ts";
import type { Prepared } from "./attempt.ts";
import { ServiceError } from "./error.ts";
import type { AskedFor } from "./tape.ts";

/** The one listing by POST among the configuration (document 1, "Filter catalog items"). */
const listingByPost = "/api/catalog/v1/catalog-items/filter";

/** A step of a path that leads upwards or stays, as an address is read: whoever asks for it asks for another path. */
const dotted = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/** Nothing of it can lead to another host, or leave the interface. */
const sayable = { path: /^\/api\/[^?#\\\s]*$/, query: /^(?:\?[^#\s]*)?$/ };

/**
 * The call that asks the same once more. What is to be asked may have been kept in a file: whatever that says, nothing but
 * a read is made of it. Throws ServiceError `refused` for anything else.
 */
export function readAgain(asked: AskedFor): Prepared {
  const { method, path, route, query } = asked;
  const isListing = method === "POST" && path === listingByPost;
  const body = isListing ? bodyOf(asked.body) : undefined;
  const isRead = method === "GET" ? asked.body === undefined : isListing && body !== undefined;
  const isSayable = sayable.path.test(path) && !dotted.test(path) && sayable.query.test(query);
  if (!isRead || !isSayable) {
    const message = "not sent: it was to be asked once more, and is no read";
    throw new ServiceError(message, { kind: "refused", arrived: "no", method, path });
  }
  const call = { method: isListing ? "POST" : "GET", at: { path, route } } as const;
  return { call: body === undefined ? call : { ...call, body }, care: "read", query };
}

function bodyOf(text: string | undefined): JsonObject | undefined {
  try {
    const body = text === undefined ? undefined : parseJson(text);
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
