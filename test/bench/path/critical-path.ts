import type { Call } from "./calls.ts";
import type { Task } from "./schedule.ts";
import { schedule } from "./schedule.ts";

/**
 * How many answers, one after the other, a run cannot do without: computed from what it sent, not from when it sent it.
 * A round is the time of one answer; what does not depend on each other goes in one round, as far as there are places.
 *
 * What waits for what:
 *
 * - everything for the sign-in at its environment;
 * - reads of the catalog for the metadata model, which says what to ask for;
 * - a page of a list for the page before it, whose answer has the cursor;
 * - a look-up by ids for the first page of some list, which names some;
 * - everything from the first write on for all that was read before it, at both sides: a diff is confirmed whole;
 * - a write for those that create what it refers to, and with that a publish for its create, and creates by their depth;
 * - a read-back for the last write to what it lists.
 *
 * What a run asks for twice before its first write, or twice after it, and what it reads again although no write
 * concerned it, is counted once or not at all: a run that asks more is not measured against a longer path.
 */
export function criticalPath(calls: readonly Call[], concurrency: number): CriticalPath {
  const needed = withoutRepeats(calls);
  const tasks = needed.map(({ call, ...at }, index): Task => {
    return { place: call.environment, after: [...new Set(awaited(needed, { call, ...at }, index))] };
  });
  return { rounds: schedule(tasks, concurrency), calls: needed.length };
}

export interface CriticalPath {
  readonly rounds: number;
  /** How many requests it was computed from. */
  readonly calls: number;
}

interface Placed {
  readonly call: Call;
  /** Not before the first write of the run. */
  readonly late: boolean;
}

/** `/api/catalog/v1/terms` of `POST /api/catalog/v1/terms/bulk`: what a route is about. */
function collectionOf({ route }: Call): string {
  return route.slice(route.indexOf("/")).split("/").slice(0, 5).join("/");
}

function isSignIn({ route }: Call): boolean {
  return route.endsWith("/openid-connect/token");
}

function isModel({ route }: Call): boolean {
  return route.includes("/metadata-model/");
}

function withoutRepeats(calls: readonly Call[]): readonly Placed[] {
  const firstWrite = calls.findIndex(({ writes }) => writes);
  const written = new Set(calls.filter(({ writes }) => writes).map(placeOf));
  const seen = new Set<string>();
  const signedIn = new Set<string>();
  return calls.flatMap((call, index): readonly Placed[] => {
    const late = firstWrite !== -1 && index >= firstWrite;
    if (isSignIn(call)) {
      // A token that ran out is renewed while others are on their way.
      if (signedIn.has(call.environment)) return [];
      signedIn.add(call.environment);
      return [{ call, late }];
    }
    if (call.writes) return [{ call, late }];
    const key = `${late} ${call.asks}`;
    if (seen.has(key) || (late && !written.has(placeOf(call)))) return [];
    seen.add(key);
    return [{ call, late }];
  });
}

function placeOf(call: Call): string {
  return `${call.environment} ${collectionOf(call)}`;
}

/** The places in the list of what has to be answered before. */
function awaited(all: readonly Placed[], { call, late }: Placed, index: number): readonly number[] {
  const before = (test: (other: Placed) => boolean): readonly number[] =>
    all.flatMap((other, place) => (place < index && test(other) ? [place] : []));
  const last = (places: readonly number[]): readonly number[] => places.slice(-1);
  const here = (other: Placed): boolean => other.call.environment === call.environment;
  if (isSignIn(call)) return [];
  const after = [...before((other) => here(other) && isSignIn(other.call))];
  const previous = last(
    before((other) => other.late === late && !other.call.writes && other.call.list === call.list),
  );
  if (late) after.push(...before((other) => !other.late));
  if (call.writes) {
    const needs = new Set(call.needs);
    return [...after, ...before((other) => here(other) && other.call.makes.some((name) => needs.has(name)))];
  }
  if (late) {
    // Not only what came before: a list that was begun too early would have to be read again.
    const writes = all.flatMap((other, place) =>
      other.call.writes && placeOf(other.call) === placeOf(call) ? [place] : [],
    );
    return [...after, ...(previous.length > 0 ? previous : writes)];
  }
  const isCatalog = collectionOf(call).startsWith("/api/catalog/");
  if (isCatalog && !isModel(call)) after.push(...before((other) => here(other) && isModel(other.call)));
  if (call.byId && previous.length === 0) {
    const first = before(
      (other) => here(other) && !other.call.byId && !isSignIn(other.call) && !isModel(other.call),
    );
    after.push(...first.slice(0, 1));
  }
  return [...after, ...previous];
}
