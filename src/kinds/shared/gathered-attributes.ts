import type { JsonObject } from "../../model/json.ts";
import { text } from "../../model/json.ts";
import type { Found } from "../kind.ts";

type Row = readonly [item: number, prefix: number, id: string, name: string];

/**
 * The attributes that a listing has shown, in little room: a text a page, since there may be a million of them and few
 * are ever asked for.
 */
export class GatheredAttributes {
  readonly #items = new Numbers();
  readonly #prefixes = new Numbers();
  readonly #pages: string[] = [];

  add(page: readonly JsonObject[]): void {
    const rows = page.map((body): Row => {
      const urn = text(body, "urn") ?? "";
      const end = urn.lastIndexOf(":") + 1;
      const item = this.#items.of(text(body, "catalogItemUrn") ?? "");
      return [item, this.#prefixes.of(urn.slice(0, end)), urn.slice(end), text(body, "name") ?? ""];
    });
    this.#pages.push(JSON.stringify(rows));
  }

  /** Those of these items, each once: lists that move while they are read may show one twice. */
  ofItems(items: ReadonlySet<string>): Found[] {
    const wanted = this.#items.all.map((item) => items.has(item));
    return this.#found((item) => wanted[item] === true);
  }

  /** Those with these URNs, each once. */
  named(urns: ReadonlySet<string>): Found[] {
    return this.#found((_item, urn) => urns.has(urn()));
  }

  #found(isWanted: (item: number, urn: () => string) => boolean): Found[] {
    const found = new Map<string, Found>();
    for (const page of this.#pages)
      for (const [item, prefix, id, name] of JSON.parse(page) as readonly Row[]) {
        const urn = (): string => `${this.#prefixes.all[prefix] ?? ""}${id}`;
        if (!isWanted(item, urn)) continue;
        const body = { urn: urn(), name, catalogItemUrn: this.#items.all[item] ?? "" };
        if (!found.has(body.urn)) found.set(body.urn, { urn: body.urn, name, body });
      }
    return [...found.values()];
  }
}

/** A number for each text, and the texts by their numbers. */
class Numbers {
  readonly all: string[] = [];
  readonly #known = new Map<string, number>();

  of(value: string): number {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    this.#known.set(value, this.all.length);
    this.all.push(value);
    return this.all.length - 1;
  }
}
