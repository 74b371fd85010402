import { digest } from "../../model/canonical.ts";

/** Names of files for tables, each its own: lower-case letters, digits and hyphens. */
export function tableIds(names: readonly string[]): readonly string[] {
  const plain = names.map(slug);
  return plain.map((id, index) => {
    const isItself = id !== "" && names[index]?.toLowerCase() === id;
    const isAlone = plain.indexOf(id) === plain.lastIndexOf(id);
    return isItself && isAlone ? id : `${id === "" ? "table" : id}-${digest(names[index] ?? "").slice(0, 6)}`;
  });
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
}
