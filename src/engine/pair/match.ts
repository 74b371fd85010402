import type { Found, GivenKind, PairingContext } from "../../kinds/kind.ts";
import { TextNumbers } from "../../model/packed/numbers.ts";
import { ByKey } from "./by-key.ts";
import type { Unmatched } from "./unpaired.ts";

export type Match = Said | ByItsKey | Unmatched;

/** A person's word. */
interface Said {
  readonly urn: string;
}

interface ByItsKey {
  readonly twin: Found;
  /** The position of the key by which it was found: 0 for the most trusted. */
  readonly rank: number;
}

export interface Sought {
  readonly kind: GivenKind;
  readonly context: PairingContext;
  readonly byKey: ByKey<Found>;
  readonly rivals: ByKey<Found>;
}

/** What is needed to find the twins of these among those. */
export function soughtAmong(
  candidates: readonly Found[],
  { kind, context, wanted }: Pick<Sought, "kind" | "context"> & { readonly wanted: readonly Found[] },
): Sought {
  return {
    kind,
    context,
    byKey: new ByKey(candidates, (candidate) => kind.targetKeys(candidate)),
    rivals: new ByKey(wanted, (record) => kind.sourceKeys(record, context).slice(0, 1)),
  };
}

/** A list that has moved while it was read shows a thing on two pages: it is one all the same, and no other one beside itself. */
export function onceEach(candidates: readonly Found[]): readonly Found[] {
  return [...new Map(candidates.map((candidate) => [candidate.urn, candidate])).values()];
}

export function match(record: Found, { kind, context, byKey, rivals }: Sought): Match {
  const keys = kind.sourceKeys(record, context);
  if (keys.length === 0) return { why: "no-key" };
  for (const [rank, key] of keys.entries()) {
    const found = byKey.get(key);
    const [only] = found;
    if (only === undefined) continue;
    if (found.length > 1) return { why: "several-there", candidates: found };
    if (kind.isElsewhere?.(record, only, context) === true) return { why: "no-key" };
    if (rivals.get(key, 2).length > 1) return { why: "several-here", candidates: found };
    return { twin: only, rank };
  }
  return { why: "nothing" };
}

/** Things of the target by what led things of the source to them. */
export class Claims {
  /** Twice the position of the most trusted key, and one more where several came with that one. */
  readonly #best = new TextNumbers();
  /** The position of whom a person said it of. */
  readonly #said = new TextNumbers();
  /** The one before it, for those of whom it was said once more. */
  readonly #saidBefore = new Map<number, number>();

  constructor(matches: readonly Match[]) {
    for (const [position, found] of matches.entries()) {
      if ("urn" in found) this.#say(found.urn, position);
      if (!("twin" in found)) continue;
      const { urn } = found.twin;
      const best = this.#best.get(urn);
      const rank = best === undefined ? Infinity : Math.floor(best / 2);
      if (found.rank <= rank) this.#best.set(urn, 2 * found.rank + Number(found.rank === rank));
    }
  }

  #say(urn: string, position: number): void {
    const other = this.#said.get(urn);
    if (other === undefined) return this.#said.set(urn, position);
    // Each of the two names the other one.
    this.#saidBefore.set(position, other);
    if (!this.#saidBefore.has(other)) this.#saidBefore.set(other, position);
  }

  /** The position of another one whose twin it is by a person's word, which no key outdoes. */
  rival(urn: string, position: number): number | undefined {
    const said = this.#said.get(urn);
    return said === position ? this.#saidBefore.get(position) : (this.#saidBefore.get(position) ?? said);
  }

  /** Something of the source was led to it. */
  has(urn: string): boolean {
    return this.#said.get(urn) !== undefined || this.#best.get(urn) !== undefined;
  }

  /** Of several that came to the same thing the one with the more trusted key has it, if there is one. */
  isFirst({ twin, rank }: ByItsKey): boolean {
    return this.#best.get(twin.urn) === 2 * rank;
  }
}

/**
 * The twin of each, in order, where nothing else of these has a better claim to it: a thing of the target is the twin of
 * one alone (README, promise 1). One by one: there may be a million.
 */
export function* settled(
  matches: readonly Match[],
  wanted: readonly Found[],
  claims = new Claims(matches),
): Generator<Said | Unmatched, undefined> {
  for (const [position, found] of matches.entries()) {
    if ("why" in found) {
      yield found;
      continue;
    }
    const urn = "twin" in found ? found.twin.urn : found.urn;
    const rival = wanted[claims.rival(urn, position) ?? -1];
    if (rival !== undefined) yield { why: "taken", there: urn, by: rival };
    else if (!("twin" in found) || claims.isFirst(found)) yield { urn };
    else yield { why: "several-here", candidates: [found.twin] };
  }
}
