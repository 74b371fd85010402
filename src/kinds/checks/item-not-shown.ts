import type { Change } from "../../model/change.ts";
import { text } from "../../model/json.ts";
import { isUrn, urnType } from "../../model/urn.ts";
import type { Check, CheckView, Held } from "../kind.ts";

/**
 * Only the catalog item says which of its monitors is the primary one (document 1, "Catalog items": primaryDqMonitor), and the list
 * of monitors shows both alike. Where the source shows the monitor and not its item, the item went between the two answers,
 * or is hidden: made as one that people made, a primary monitor would be there twice.
 */
export const itemNotShown: Check = {
  name: "item-not-shown",
  run(view) {
    const held = new Map<string, Held>();
    for (const change of view.changes) {
      const item = hiddenItem(change, view);
      if (item !== undefined) held.set(change.id, because(item));
    }
    return { diagnostics: [], held };
  },
};

/** Of a monitor that is to be made. One that was moved before was told from a primary one then. */
function hiddenItem({ kind, action, source }: Change, view: CheckView): string | undefined {
  if (kind !== "monitors" || action !== "create") return undefined;
  const urn = source?.urn ?? "";
  const items = view.refersTo(urn)?.filter((one) => urnType(one) === "catalog:catalog-item") ?? [];
  // Of nearly all of them: which of these is its own one does not matter then, and its body need not be read for that.
  if (items.length > 0 && items.every((one) => view.source.has("catalog-items", one))) return undefined;
  const item = text(view.source.body(kind, urn), "catalogItemUrn") ?? "";
  // What is no URN is refused by the service.
  return isUrn(item) && !view.source.has("catalog-items", item) ? item : undefined;
}

function because(item: string): Held {
  return {
    code: "item-not-shown",
    reason: `the source does not show the catalog item that it checks (${item}), which alone tells whether this is its primary monitor`,
    suggestion:
      "Run again: the item was deleted while the source was read, or moves with the next run. If it stays so, let the client of the source read the item.",
  };
}
