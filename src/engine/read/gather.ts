import type { Feed, Foreseen, Gathered, MovedKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import { isGiven } from "../facets/standing.ts";
import type { Early } from "./foresight.ts";

/** By name: given kinds of which a listing shows everything, so that nobody has to read them beside it. */
export type GatheredKinds = ReadonlyMap<string, Foreseen & Gathered>;

/** The given kinds that the listings of these kinds show. */
export function shownBy(kinds: Iterable<MovedKind>): ReadonlySet<string> {
  const names = [...kinds].map(({ feed }) => feed.shows);
  return new Set(names.filter((name) => name !== undefined));
}

export function gathering(registry: Registry, kinds: Iterable<MovedKind>): GatheredKinds {
  return new Map(
    [...shownBy(kinds)].flatMap((name) => {
      const kind = registry.get(name);
      const gathered = isGiven(kind) ? kind.gather?.() : undefined;
      return gathered === undefined ? [] : [[name, gathered] as const];
    }),
  );
}

/** What is gathered, and what was begun of the others. */
export function withGathered(early: Early, gathered: GatheredKinds): Early {
  return new Map([...early, ...gathered]);
}

/** The pages of a listing, taken by what gathers them; it learns how the listing has ended, whatever becomes of it. */
export async function* gatheredFrom<T extends Parameters<Gathered["take"]>[0]>(
  pages: AsyncIterable<T>,
  { shows }: Feed,
  gathered: GatheredKinds,
): AsyncGenerator<T, void, undefined> {
  const taker = shows === undefined ? undefined : gathered.get(shows);
  let end: { readonly error: unknown } | undefined;
  try {
    for await (const page of pages) {
      taker?.take(page);
      yield page;
    }
    end = { error: undefined };
  } catch (error) {
    end = { error };
    throw error;
  } finally {
    // An error is dear to make: only one that is needed is made.
    taker?.ended(end === undefined ? new Error("the listing was left before its end") : end.error);
  }
}
