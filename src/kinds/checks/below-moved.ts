import type { Change, FieldChange } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Check } from "../kind.ts";
import { lineOf, parentsIn } from "../shared/parents.ts";

/** Which field of its body says where an object of a kind stands, and what these are called. */
const fields: Readonly<Record<string, string>> = {
  folders: "parentUrn",
  "sql-items": "folderUrn",
  entities: "parentUrn",
};
const words: Readonly<Record<string, string>> = {
  folders: "folder",
  "sql-items": "SQL item",
  entities: "entity",
};

/**
 * What stands elsewhere at the source by now stays where it is at the target: nothing moves it there. What is new below it is made
 * in its twin, and so in the old place, where it stays as well: that is said before it is done.
 */
export const belowMoved: Check = {
  name: "below-moved",
  run(view) {
    const moved = new Map<string, readonly [Change, FieldChange]>();
    for (const change of view.changes) {
      const field = change.action === "manual" ? movedTo(change) : undefined;
      if (field !== undefined) moved.set(change.source?.urn ?? "", [change, field]);
    }
    if (moved.size === 0) return { diagnostics: [] };
    const below = new Map<string, string[]>();
    const parents = parentsIn(view.source, fields);
    for (const { action, kind, source } of view.changes) {
      if (action !== "create" || !(kind in fields) || source === undefined) continue;
      const above = lineOf(source.urn, parents).find((urn) => urn !== source.urn && moved.has(urn));
      if (above !== undefined) below.set(above, [...(below.get(above) ?? []), source.name]);
    }
    const diagnostics = [...below].flatMap(([urn, names]) => {
      const found = moved.get(urn);
      return found === undefined ? [] : [told(...found, names)];
    });
    return { diagnostics };
  },
};

function movedTo(change: Change): FieldChange | undefined {
  const field = fields[change.kind];
  return field === undefined ? undefined : change.fields.find(({ path }) => path === `/${field}`);
}

const mostNamed = 5;

function told({ kind, source }: Change, field: FieldChange, names: readonly string[]): Diagnostic {
  const what = words[kind] ?? kind;
  const [name, urn] = [source?.name ?? "", source?.urn ?? ""];
  const named = names.slice(0, mostNamed).map((one) => `"${one}"`);
  const more = names.length > named.length ? ` and ${names.length - named.length} more` : "";
  const count = names.length === 1 ? "1 new object is" : `${names.length} new objects are`;
  return {
    severity: "warning",
    code: "made-below-moved",
    coordinate: { kind, urn, name },
    summary: `${count} made below the ${what} "${name}" where that stands at the target${placed(field.from, field.fromName)}, and not where it stands at the source${placed(field.to, field.toName)}: ${named.join(", ")}${more}`,
    detail: "Nothing that stands below something can be moved to another place afterwards.",
    suggestion: `Settle first where "${name}" is to stand, as is said with it; or leave them out with select.exclude until that is done. If the place at the target will do, nothing is to be done.`,
  };
}

function placed(value: FieldChange["from"], name: string | undefined): string {
  if (name !== undefined) return ` (in "${name}")`;
  return typeof value === "string" ? ` (in ${value})` : "";
}
