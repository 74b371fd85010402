import type { JsonObject } from "../../model/json.ts";
import { text } from "../../model/json.ts";
import { FoundTable } from "../../model/packed/found-table.ts";
import type { Found } from "../kind.ts";
import { attributeIn } from "./attribute-list.ts";

/** The attributes that a listing has shown, in little room: there may be a million, and few are ever asked for. */
export class GatheredAttributes {
  readonly #all = new FoundTable();

  /** Each once: lists that move while they are read may show one twice. */
  add(page: readonly JsonObject[]): void {
    for (const body of page) {
      const attribute = attributeIn(body);
      if (!this.#all.has(attribute.urn)) this.#all.set(attribute);
    }
  }

  ofItems(items: ReadonlySet<string>): Found[] {
    return this.#all.all(({ body }) => items.has(text(body, "catalogItemUrn") ?? ""));
  }

  named(urns: ReadonlySet<string>): Found[] {
    return this.#all.all(({ urn }) => urns.has(urn));
  }
}
