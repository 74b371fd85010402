import { parseJson } from "../../model/json-text.ts";
import { lookedUp } from "../../model/packed/looked-up.ts";
import type { Scratch } from "../../model/packed/spool.ts";
import { Spool } from "../../model/packed/spool.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Kept {
  readonly all: KeptValues;
  readonly place: number;
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

  /** The same object, to be read and not to be changed; of JSON's values alone. */
  keep<T extends object>(value: T): T {
    return this.view(this.put(value)) as T;
  }

  /** Its place. */
  put(value: object): number {
    return this.#spool.add(JSON.stringify(value));
  }

  /** What was put there, which is read when it is asked for a field. */
  view(place: number): object {
    return kept({ all: this, place });
  }

  at(place: number): Fields {
    if (this.#last?.place !== place)
      this.#last = { place, value: parseJson(this.#spool.at(place)) as unknown as Fields };
    return this.#last.value;
  }
}

const kept = lookedUp<Record<string, unknown>, Kept>({
  names: ({ all, place }) => Object.keys(all.at(place)),
  field: ({ all, place }, name) => {
    const value = all.at(place);
    return Object.hasOwn(value, name) ? value[name] : undefined;
  },
});
