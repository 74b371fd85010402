import { Advance } from "./advance.ts";
import type { Reader } from "./call.ts";
import type { Listing, ListedPage, RecordRange } from "./master-data-lists.ts";
import { goesRound, idOf, onePage, usualCount } from "./master-data-lists.ts";
import type { StoredRecord } from "./master-data-records.ts";

/** So often in a row a list may have moved without bringing anything new. */
const mostStalls = 5;

/**
 * All pages of a list that others may change meanwhile. Each page begins with the last record of the one before: where that is
 * another one, records have come or gone before it, and those that were to come stand elsewhere. Then the list is read again
 * from where it shows what it has brought, and that is left out. It costs no request while nothing moves; what is
 * remembered are the ids of two pages. Of a server that gives one record at once nothing of this can be told.
 */
export async function* seamedPages(
  reader: Reader,
  listing: Listing,
  { offset = 0, count = usualCount }: RecordRange,
): AsyncGenerator<ListedPage, void, undefined> {
  const came = new Recent(2 * count);
  let advance = new Advance(idOf);
  let at = offset;
  /** The record before that place, where it is known. */
  let seam: string | undefined;
  let isSeamed = true;
  let longest = 1;
  let stalls = 0;
  /** The page before was shorter than others, which mostly ends a list; behind such a one there was more all the same. */
  let isShort = false;
  let isUneven = false;
  let pages = 0;
  /** Of one page nothing was left out where its last place shows any of it, in whatever order the server gives it. */
  const isSame = (first: string | undefined): boolean =>
    pages === 1 ? first !== undefined && came.has(first) : first === seam;
  for (;;) {
    const hasSeam = isSeamed && at > 0 && !isShort;
    const range = hasSeam ? { offset: at - 1, count: count + 1 } : { offset: at, count };
    const { records } = await onePage(reader, listing, range);
    if (hasSeam && seam !== undefined && !isSame(records[0]?.id)) {
      stalls += 1;
      if (stalls > mostStalls)
        throw goesRound(reader, listing, "what came last stands elsewhere each time that it is read");
      ({ at, seam } = await placeNow(reader, listing, { at, step: longest, came }));
      advance = new Advance(idOf);
      isShort = false;
      continue;
    }
    if (records.length === 0) return;
    if (isShort) {
      [isShort, isUneven] = [false, true];
      if (isSeamed) continue;
    }
    const fresh = hasSeam ? records.slice(1) : records;
    if (fresh.length === 0) {
      if (longest > 1 && !isUneven) return;
      // One record may be all that the server gives at once.
      isSeamed = false;
      continue;
    }
    isShort = records.length < longest;
    longest = Math.max(longest, records.length);
    const next = at + fresh.length;
    // The last page may hold again what a change has shifted onto it.
    const items = fresh.map(({ body }) => body);
    const problem = advance.problem({ items, next: isShort ? undefined : String(next) });
    if (problem !== undefined) throw goesRound(reader, listing, problem);
    const unseen = fresh.filter(({ id }) => !came.has(id));
    came.add(unseen);
    pages += 1;
    if (unseen.length > 0) {
      stalls = 0;
      yield { records: unseen, next, from: at };
    }
    [at, seam] = [next, fresh.at(-1)?.id];
    isSeamed = longest > 1;
  }
}

/** Where the list shows something that it has brought: what stands behind that, and was not brought yet, is still to come. */
async function placeNow(
  reader: Reader,
  listing: Listing,
  { at, step, came }: { readonly at: number; readonly step: number; readonly came: Recent },
): Promise<{ readonly at: number; readonly seam: string | undefined }> {
  for (let offset = at; offset > 0;) {
    offset = Math.max(0, offset - step);
    const { records } = await onePage(reader, listing, { offset, count: step });
    const index = records.findIndex(({ id }) => came.has(id));
    if (index >= 0) return { at: offset + index + 1, seam: records[index]?.id };
  }
  if (came.isAll) return { at: 0, seam: undefined };
  throw goesRound(reader, listing, "nothing of what came last is there any more");
}

/** The last records that came. */
class Recent {
  readonly #ids = new Set<string>();
  readonly #most: number;
  #isAll = true;

  constructor(most: number) {
    this.#most = most;
  }

  /** Nothing that came was forgotten. */
  get isAll(): boolean {
    return this.#isAll;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(records: readonly Pick<StoredRecord, "id">[]): void {
    for (const { id } of records) this.#ids.add(id);
    for (const id of this.#ids) {
      if (this.#ids.size <= this.#most) break;
      this.#ids.delete(id);
      this.#isAll = false;
    }
  }
}
