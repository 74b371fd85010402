import type { JsonObject } from "../../model/json.ts";
import type { Page, ServiceErrorKind } from "../../service/index.ts";
import { ServiceError } from "../../service/index.ts";
import type { NotKnown } from "../kind.ts";

/** The service does not take the request, or does not know the path or the type. */
const refusals: ReadonlySet<ServiceErrorKind> = new Set(["refused", "not-found"]);
/** Where the path itself is none of the documents (page 04), an answer of another shape says no more. */
const guesses: ReadonlySet<ServiceErrorKind> = new Set([...refusals, "unreadable"]);
/** Where a person can say it all as well, nobody has to be allowed to list it. */
const helps: ReadonlySet<ServiceErrorKind> = new Set([...guesses, "permission"]);
const expected = { documented: refusals, guessed: guesses, helpful: helps };

/**
 * All of a list that the service may lack: not known when it is refused. What would fail any other request too (no
 * permission, no connection) is thrown as ever.
 */
export async function listOrNotKnown(
  pages: AsyncIterable<Page>,
  list: keyof typeof expected,
): Promise<readonly JsonObject[] | NotKnown> {
  const items: JsonObject[] = [];
  try {
    for await (const page of pages) items.push(...page.items);
    return items;
  } catch (error) {
    if (error instanceof ServiceError && expected[list].has(error.kind)) return { notKnown: error.message };
    throw error;
  }
}

/** The same of what each item of a list is. */
export function each<T, R>(
  answer: readonly T[] | NotKnown,
  toResult: (item: T) => R,
): readonly R[] | NotKnown {
  return "notKnown" in answer ? answer : answer.map((item) => toResult(item));
}
