import { isArray, isObject, type Json, type JsonObject } from "../../src/emulator/json.ts";
import type { Entry } from "./books.ts";
import type { Doubts } from "./in-doubt.ts";
import { type Leaves, leavesOf } from "./leaves.ts";

/**
 * What a colleague has made, or renamed, to be just as the tool had sent it, while nobody had heard whether that was done: if ours did
 * not happen, or is another thing by then, and theirs did, theirs is taken for ours (README).
 */
export class StandIns {
  /** How many had been sent that looked like it. */
  readonly #alike = new Map<string, number>();

  note({ actor, side, kind, urn, before, after }: Entry, inDoubt: Doubts, unheard: Iterable<string>): void {
    if (actor !== "colleague" || side === "source" || after?.published === undefined) return;
    if (before?.published === after.published) return;
    const now = leavesOf(after.published);
    const doubted = inDoubt.flatMap((doubt) =>
      doubt.kind === kind && doubt.item.target === undefined ? [doubt.item.body] : [],
    );
    const count = (bodies: readonly Parameters<typeof leavesOf>[0][]): number =>
      bodies.filter((body) => isLike(leavesOf(body), now)).length;
    // What is in doubt may be among what nobody has heard of.
    const alike = Math.max(count(doubted), count([...unheard].flatMap(bodiesIn)));
    if (alike > 0) this.#alike.set(urn, alike);
  }

  /** So many of one name may be the tool's own beside it. */
  mostBeside(urn: string): number {
    return (this.#alike.get(urn) ?? 0) - 1;
  }
}

/** A name alone says too little. Keys are the service's: what was sent has those that were made up for it. */
function isLike(sent: Leaves, now: Leaves): boolean {
  const said = new Set(withoutKeys(now));
  return sent.size > 1 && withoutKeys(sent).every((leaf) => said.has(leaf));
}

function withoutKeys(leaves: Leaves): readonly string[] {
  return [...leaves].map(([path, value]) => `${path.replaceAll(key, "/*")} ${value}`);
}

const key = /\/(?:new_)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\/|$)/g;

/** Of a path and a body: that, and what a batch holds. */
function bodiesIn(sent: string): readonly JsonObject[] {
  const at = sent.search(/ [[{]/);
  if (at < 0) return [];
  const body = JSON.parse(sent.slice(at + 1)) as Json;
  const held = isObject(body)
    ? [body, ...Object.values(body).filter(isArray).flat()]
    : isArray(body)
      ? body
      : [];
  return held.filter(isObject);
}
