import { digest } from "../model/canonical.ts";
import type { JsonObject } from "../model/json.ts";
import { text } from "../model/json.ts";

export interface ReceivedPage {
  readonly items: readonly JsonObject[];
  readonly total?: number;
  readonly next: string | undefined;
}

/** What tells an object apart; undefined when it has nothing of the kind. */
type Id = string | undefined;

/** Cursors up to this long are remembered as they are, longer ones by their digest. Characters. */
const shortCursor = 32;
/** Objects beyond a total that never moves: some may come twice, since lists are not isolated from changes. */
const beyondStable = 100;
/** Beyond a total that moves while the list is read, some objects may have come and gone. */
const beyondMoving = 1_000;

/**
 * Whether a list goes on: told page by page, with little memory however long it is.
 *
 * - A cursor that was given before leads to where the list has been.
 * - A page with a next one brings something that was not there a moment ago. What is compared is a window of two pages
 *   in a row, which is moved on to where the list is whenever it has become twice as long (Brent): a list that goes
 *   round comes by the window again, wherever its pages begin.
 * - `meta.total` is stated anew on every page. While it stays the same nothing is created or deleted, and what goes
 *   beyond it by more than a page has no end; where it moves, what goes beyond twice the largest has none.
 *
 * A list without a total that brings new objects for ever cannot be told from a long one.
 */
export class Advance {
  readonly #cursors = new Set<string>();
  /** Ids alone: what is remembered must not hold a page that was passed on. */
  #before: readonly Id[] | undefined;
  #window: readonly (readonly Id[])[] = [];
  #inWindow: ReadonlySet<string> = new Set();
  #pages = 0;
  #moveAt = 1;
  #received = 0;
  readonly #idOf: (item: JsonObject) => Id;
  #total: { readonly first: number; readonly largest: number; readonly isStable: boolean } | undefined;

  /** `idOf` tells objects apart. */
  constructor(idOf: (item: JsonObject) => Id = urnOrName) {
    this.#idOf = idOf;
  }

  /** Objects so far; one that comes twice on a page says nothing of another that should have stood there. */
  get received(): number {
    return this.#received;
  }

  /** What is wrong with a page that came; undefined when the list goes on, or ends, as it should. */
  problem(page: ReceivedPage): string | undefined {
    const ids = page.items.map(this.#idOf);
    this.#received += numberOf(ids);
    const problem = this.#ofCursor(page) ?? this.#ofItems(page, ids) ?? this.#ofTotal(page);
    if (problem === undefined) this.#remember(page, ids);
    return problem;
  }

  #ofCursor({ next, items }: ReceivedPage): string | undefined {
    if (next === undefined) return undefined;
    if (this.#cursors.has(keptAs(next))) return "its cursor was given before";
    return items.length === 0 ? "a page is empty and yet there is a next one" : undefined;
  }

  #ofItems({ next, items }: ReceivedPage, ids: readonly Id[]): string | undefined {
    if (items.length === 0) return undefined;
    if (this.#before !== undefined && sameEnds(ids, this.#before)) return "a page repeats the one before";
    if (next === undefined) return undefined;
    const isKnown = (id: Id): boolean => this.#inWindow.has(id ?? "");
    return ids.every(isKnown) ? "a page brings only objects that came before" : undefined;
  }

  #ofTotal({ next, total }: ReceivedPage): string | undefined {
    if (total === undefined) return undefined;
    const { first, largest, isStable } = this.#total ?? { first: total, largest: total, isStable: true };
    const now = { first, largest: Math.max(largest, total), isStable: isStable && total === first };
    this.#total = now;
    const most = now.isStable ? total + beyondStable : 2 * now.largest + beyondMoving;
    if (next === undefined || this.#received <= most) return undefined;
    return `${this.#received} objects came, it has ${total} by its own account, and there is a next page`;
  }

  #remember({ next }: ReceivedPage, ids: readonly Id[]): void {
    if (next !== undefined) this.#cursors.add(keptAs(next));
    this.#before = ids;
    this.#pages += 1;
    if (this.#pages === this.#moveAt) {
      this.#window = [ids];
      this.#moveAt *= 2;
    } else if (this.#window.length < 2) {
      this.#window = [...this.#window, ids];
    } else {
      return;
    }
    this.#inWindow = new Set(this.#window.flat().filter((id) => id !== undefined));
  }
}

function numberOf(ids: readonly Id[]): number {
  const apart = new Set(ids);
  return apart.has(undefined) ? ids.length : apart.size;
}

function sameEnds(page: readonly Id[], before: readonly Id[]): boolean {
  return page[0] === before[0] && page.at(-1) === before.at(-1);
}

function keptAs(cursor: string): string {
  return cursor.length > shortCursor ? digest(cursor) : cursor;
}

function urnOrName(item: JsonObject): Id {
  return text(item, "urn") ?? text(item, "name");
}
