import type { Urn } from "../../model/urn.ts";
import type { Collection } from "../collection.ts";
import type { DraftType, Versioned } from "../state.ts";

/** The draft that PATCH continues, else the published version it opens a draft on (document 2). */
export function newest<T>(row: Versioned<T>): T | undefined {
  return row.draft ?? row.published;
}

/** A published object stays CHANGE, a new one NEW. */
export function putDraft<T>(
  collection: Collection<Versioned<T>>,
  row: { readonly urn: Urn; readonly published?: T },
  draft: T,
): Versioned<T> {
  const draftType: DraftType = row.published === undefined ? "NEW" : "CHANGE";
  return collection.put({ ...row, draft, draftType });
}

/** What may be published already stands as the new version; the draft is gone. */
export function putPublished<T>(collection: Collection<Versioned<T>>, urn: Urn, published: T): Versioned<T> {
  return collection.put({ urn, published, draftType: "NONE" });
}

/** The versions of a resource that exist, published first. */
export function versionsOf<T>(value: Versioned<T>): T[] {
  return [value.published, value.draft].filter((version) => version !== undefined);
}
