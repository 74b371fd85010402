import type { Change, FieldChange } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import { text } from "../../model/json.ts";
import type { Check, CheckView } from "../kind.ts";

/** Which field of its body says where an object of a kind stands, and what these are called. */
const places: Readonly<Record<string, { readonly field: string; readonly what: string }>> = {
  folders: { field: "parentUrn", what: "folder" },
  "sql-items": { field: "folderUrn", what: "SQL item" },
  entities: { field: "parentUrn", what: "entity" },
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
    const parents = parentsIn(view);
    for (const { action, kind, source } of view.changes) {
      if (action !== "create" || !(kind in places) || source === undefined) continue;
      const above = nearest(parents.get(source.urn), parents, moved);
      if (above !== undefined) below.set(above, [...(below.get(above) ?? []), source.name]);
    }
    const diagnostics = [...below].flatMap(([urn, names]) => {
      const found = moved.get(urn);
      return found === undefined ? [] : [told(...found, names)];
    });
    return { diagnostics };
  },
};

function movedTo({ kind, fields }: Change): FieldChange | undefined {
  const place = places[kind];
  return place === undefined ? undefined : fields.find(({ path }) => path === `/${place.field}`);
}

function parentsIn({ source }: CheckView): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  const add = (body: JsonObject, field: string): void => {
    const [urn, parent] = [text(body, "urn"), text(body, field)];
    if (urn !== undefined && parent !== undefined) parents.set(urn, parent);
  };
  for (const [kind, { field }] of Object.entries(places))
    for (const body of source.bodies(kind)) add(body, field);
  return parents;
}

/** The closest of what stands elsewhere that it is in; a circle cannot be, and would not end. */
function nearest(
  parent: string | undefined,
  parents: ReadonlyMap<string, string>,
  moved: ReadonlyMap<string, unknown>,
): string | undefined {
  let urn = parent;
  for (let levels = 0; urn !== undefined && levels <= parents.size; levels += 1) {
    if (moved.has(urn)) return urn;
    urn = parents.get(urn);
  }
  return undefined;
}

const mostNamed = 5;

function told({ kind, source }: Change, field: FieldChange, names: readonly string[]): Diagnostic {
  const what = places[kind]?.what ?? kind;
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
