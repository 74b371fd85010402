import type { OpenTable } from "../../kinds/kind.ts";
import type { RowIntent } from "../../model/journal.ts";
import { keyDigest } from "./prints.ts";

/** What the row was known by when it was written down it is not known by now: nobody would find it under its key. */
export function isKeyedOtherwise(
  { key, before = {}, values = {} }: Pick<RowIntent, "key" | "before" | "values">,
  { keyNow }: Pick<OpenTable, "keyNow">,
): boolean {
  const now = keyNow?.({ ...before, ...values });
  return now !== undefined && (now.key === undefined || keyDigest(now.key) !== key);
}
