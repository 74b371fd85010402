import { digest } from "../../model/canonical.ts";
import type { MasterPlan } from "./records.ts";

/** Names of files for tables, each its own: lower-case letters, digits and hyphens. `words` say which table it is. */
export function tableId(words: readonly string[]): string {
  const [name = ""] = words;
  const id = slug(name);
  const isPlain = id !== "" && name.toLowerCase() === id && new Set(words).size === 1;
  return isPlain ? id : `${id === "" ? "table" : id}-${digest(JSON.stringify(words)).slice(0, 6)}`;
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
}

/** A hyphen in a name could stand on either side of the one between them. */
export function masterTableId({ view, entity }: Pick<MasterPlan, "view" | "entity">): string {
  const called = `${view}/${entity}`;
  return tableId([`${view}-${entity}-masters`, ...(called.includes("-") ? [called] : [])]);
}
