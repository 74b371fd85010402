import { parseJson } from "../../model/json-text.ts";
import { lookedUp } from "../../model/packed/looked-up.ts";
import type { Scratch } from "../../model/packed/spool.ts";
import { Spool } from "../../model/packed/spool.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Kept {
  readonly all: KeptValues;
  readonly place: number;
  /** What is asked for too often to be read each time. */
  readonly known: Fields;
}

/**
 * What records say of each object, as text, and on disk where there is much of it: a run may have written to a hundred thousand, and
 * they are looked at one after the other.
 */
export class KeptValues {
  readonly #spool: Spool;
  /** The one that was looked at last is mostly looked at again. */
  #last: { readonly place: number; readonly value: Fields } | undefined;

  constructor(scratch?: () => Scratch) {
    this.#spool = new Spool(scratch);
  }

  /** The same object, to be read and not to be changed; of JSON's values alone. `known`: fields of it that stay at hand. */
  keep<T extends object>(value: T, known: Partial<T> = {}): T {
    const place = this.#spool.add(JSON.stringify(value));
    return kept({ all: this, place, known }) as T;
  }

  at(place: number): Fields {
    if (this.#last?.place !== place)
      this.#last = { place, value: parseJson(this.#spool.at(place)) as unknown as Fields };
    return this.#last.value;
  }
}

const kept = lookedUp<Record<string, unknown>, Kept>({
  names: ({ all, place }) => Object.keys(all.at(place)),
  field: ({ all, place, known }, name) => {
    if (Object.hasOwn(known, name)) return known[name];
    const value = all.at(place);
    return Object.hasOwn(value, name) ? value[name] : undefined;
  },
});
