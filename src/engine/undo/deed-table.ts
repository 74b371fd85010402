import type { IntentItem } from "../../model/journal.ts";
import type { Json } from "../../model/json.ts";
import { lookedUp, lookedUpBy } from "../../model/packed/looked-up.ts";
import { withRoom } from "../../model/packed/room.ts";
import type { Scratch } from "../../model/packed/spool.ts";
import { Texts } from "../../model/packed/texts.ts";
import type { Deed, SentBody, Undo } from "./deed.ts";
import { KeptValues } from "./kept-values.ts";

/** A deed as it is written down: what was sent is kept apart, and stands in it by its place. */
export interface DeedRow extends Omit<Deed, "intent" | "undos" | "sent" | "unsure"> {
  readonly intent: number;
  readonly undos: readonly SentRow[];
  readonly sent: readonly SentRow[];
  readonly unsure?: { readonly instead: DeedRow | undefined };
}

export interface SentRow extends Pick<Undo, "keys" | "touched"> {
  readonly intent: number;
}

/** What a deed is looked up in: by its number, or, where it is what another one may have been, by its row. */
interface Of {
  readonly table: DeedTable;
  readonly number: number;
  readonly row?: DeedRow;
}

interface SentIn extends SentRow {
  readonly table: DeedTable;
}

/** What nearly no deed is: asked of all of them, and told without reading the row. */
const marks = ["isFormer", "isFound", "isTouchedBetween", "saidOf", "unsure"] as const;

/**
 * Deeds by number. A run may have written to a hundred thousand objects: what everybody asks for (which object it is, and what was
 * done to it) is held outside of the heap, and all else is on disk where there is much of it.
 */
export class DeedTable {
  readonly #intents: KeptValues;
  readonly #rows: KeptValues;
  /** Pairs of a kind and of what was done to it: there is a handful. */
  readonly #sorts: Pick<Deed, "kind" | "what">[] = [];
  readonly #urns = new Texts();
  #sortOf = new Uint16Array(16);
  #marksOf = new Uint16Array(16);
  #sources = new Uint32Array(16);
  #targets = new Uint32Array(16);
  #places = new Float64Array(16);
  #count = 0;

  constructor(scratch?: () => Scratch) {
    this.#intents = new KeptValues(scratch);
    this.#rows = new KeptValues(scratch);
  }

  /** Its number. */
  add(row: DeedRow): number {
    const number = this.#count;
    this.#count += 1;
    this.#sortOf = withRoom(this.#sortOf, number);
    this.#marksOf = withRoom(this.#marksOf, number);
    this.#sources = withRoom(this.#sources, number);
    this.#targets = withRoom(this.#targets, number);
    this.#places = withRoom(this.#places, number);
    this.#sortOf[number] = this.#sort(row);
    for (const [bit, mark] of marks.entries())
      if (row[mark] !== undefined) this.#marksOf[number] = (this.#marksOf[number] ?? 0) | (1 << bit);
    this.#sources[number] = this.#urns.add(row.source);
    this.#targets[number] = this.#urns.add(row.target);
    this.#places[number] = this.#rows.put(row);
    return number;
  }

  /** The place of what was to be sent, which rows tell it by. */
  addIntent(item: IntentItem): number {
    return this.#intents.put(item);
  }

  intent(place: number): IntentItem {
    return this.#intents.view(place) as IntentItem;
  }

  row(number: number): DeedRow {
    return this.#rows.at(this.#places[number] ?? 0) as unknown as DeedRow;
  }

  /** Equal to any other one of this number, and not the same: who tells deeds apart asks once for each. */
  deed(number: number): Deed {
    return deed({ table: this, number });
  }

  field(number: number, name: string): unknown {
    switch (name) {
      case "kind":
      case "what":
        return this.#sorts[this.#sortOf[number] ?? 0]?.[name];
      case "source":
        return this.#urns.at(this.#sources[number] ?? 0);
      case "target":
        return this.#urns.at(this.#targets[number] ?? 0);
      default: {
        const mark = (marks as readonly string[]).indexOf(name);
        if (mark >= 0 && ((this.#marksOf[number] ?? 0) & (1 << mark)) === 0) return undefined;
        return fieldOf(this, this.row(number), name);
      }
    }
  }

  #sort({ kind, what }: DeedRow): number {
    const known = this.#sorts.findIndex((sort) => sort.kind === kind && sort.what === what);
    return known < 0 ? this.#sorts.push({ kind, what }) - 1 : known;
  }
}

const deed = lookedUp<Deed, Of>({
  names: ({ table, number, row }) => Object.keys(row ?? table.row(number)),
  field: ({ table, number, row }, name) =>
    (row === undefined ? table.field(number, name) : fieldOf(table, row, name)) as Deed[keyof Deed],
});

const intentOf = ({ table, intent }: SentIn): IntentItem => table.intent(intent);
const keys = ({ keys: known }: SentIn): Undo["keys"] => known;
const sentBody = lookedUpBy<SentBody, SentIn>({ body: (of) => intentOf(of).body, keys });
const undoIn = lookedUpBy<Undo, SentIn>({
  patch: (of) => intentOf(of).undo,
  keys,
  touched: ({ touched }): Json | undefined => touched,
});

function fieldOf(table: DeedTable, row: DeedRow, name: string): unknown {
  switch (name) {
    case "intent":
      return table.intent(row.intent);
    case "undos":
      return row.undos.map((one) => undoIn({ ...one, table }));
    case "sent":
      return row.sent.map((one) => sentBody({ ...one, table }));
    case "unsure": {
      const instead = row.unsure?.instead;
      return row.unsure && { instead: instead && deed({ table, number: -1, row: instead }) };
    }
    default:
      return Object.hasOwn(row, name) ? row[name as keyof DeedRow] : undefined;
  }
}
