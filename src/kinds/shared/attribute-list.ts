import type { Page, ReadClient } from "../../service/index.ts";
import type { Found } from "../kind.ts";
import { text } from "../../model/json.ts";
import type { JsonObject } from "../../model/json.ts";

/**
 * All attributes of an environment, where that takes no more requests than asking item by item: the first page's total
 * tells how many pages there are.
 */
export class WholeList {
  readonly #pages: AsyncIterator<Page>;
  readonly #stop: AbortSignal | undefined;
  #first: Promise<IteratorResult<Page>> | undefined;
  #all: Promise<Found[]> | undefined;

  /** When `stop` is aborted nobody will ask for what was begun, and it ends. */
  constructor(client: ReadClient, stop?: AbortSignal) {
    this.#pages = client.catalog.attributes({})[Symbol.asyncIterator]();
    this.#stop = stop;
  }

  /** So many items are certain by now: the first page is read, and the rest as soon as it is worth it. */
  begin(items: number): void {
    if (this.#all !== undefined || this.#stop?.aborted === true) return;
    void this.all(items).catch(() => undefined); // Thrown to whoever asks for it.
  }

  /** Undefined where it is cheaper to ask item by item. */
  async all(items: number): Promise<Found[] | undefined> {
    this.#first ??= this.#pages.next();
    const first = await this.#first;
    if (this.#all === undefined && !isWorthIt(first, items)) return undefined;
    this.#all ??= this.#rest(first);
    return this.#all;
  }

  async #rest(first: IteratorResult<Page>): Promise<Found[]> {
    const found: Found[] = [];
    for (let page = first; page.done !== true; page = await this.#pages.next()) {
      this.#stop?.throwIfAborted();
      for (const body of page.value.items) found.push(attributeIn(body));
    }
    return found;
  }
}

/** What tells an attribute from others, and nothing else of it: there may be a million of them. */
export function attributeIn(listed: JsonObject): Found {
  const [urn = "", name = ""] = [text(listed, "urn"), text(listed, "name")];
  return { urn, name, body: { urn, name, catalogItemUrn: text(listed, "catalogItemUrn") ?? "" } };
}

function isWorthIt(first: IteratorResult<Page>, items: number): boolean {
  return (
    first.done === true || (first.value.total !== undefined && Math.ceil(first.value.total / 100) <= items)
  );
}
