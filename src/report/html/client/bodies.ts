import type { Body, Entry, Payload } from "../payload.ts";

export interface Bodies {
  /** The entry with all that is inside of it. */
  readonly whole: (entry: Entry) => Entry;
  readonly sizeOf: (entry: Entry) => number;
}

/** A page of many entries reads what is inside of one when somebody looks into it: a block of neighbours at a time. */
export function bodies(data: Payload): Bodies {
  const read = new Map<number, readonly Body[]>();
  const first = new Map<number, number>();

  function whole(entry: Entry): Entry {
    const { chunk } = entry;
    if (chunk === undefined) return entry;
    let found = read.get(chunk);
    if (found === undefined) {
      const text = document.getElementById(`chunk-${chunk}`)?.textContent ?? "[]";
      found = JSON.parse(text) as readonly Body[];
      read.set(chunk, found);
      first.set(
        chunk,
        data.items.findIndex((one) => one.chunk === chunk),
      );
    }
    const body = found[entry.at - (first.get(chunk) ?? 0)];
    return body === undefined ? entry : Object.assign({}, entry, body);
  }

  return { whole, sizeOf: (entry) => entry.size ?? entry.fields.length };
}
