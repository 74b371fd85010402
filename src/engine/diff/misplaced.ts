import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Key } from "../../model/key.ts";
import { keyText } from "../../model/key.ts";
import { once } from "../../model/once.ts";
import { liesOver } from "../facets/standing.ts";
import type { DiffInput } from "./input.ts";

/**
 * Where something stands that lies over another thing follows from that one's twin. A row that claims such a place for
 * something else, since a person paired it so, or it was so under other pairs, is let go of as soon as whoever
 * stands there is written down: two sources of one target are in no mapping.
 */
export function misplaced(
  changes: readonly Change[],
  { registry, mapping }: Pick<DiffInput, "registry" | "mapping">,
): { readonly keys: readonly Key[]; readonly diagnostics: readonly Diagnostic[] } {
  const keys: Key[] = [];
  const diagnostics: Diagnostic[] = [];
  // Hardly ever asked for, and there may be a million.
  const placed = once(() => new Map(changes.map(({ id, target }) => [id, target?.urn])));
  const owners = mapping.kinds().filter((kind) => registry.owns(kind));
  // A thing has one owner, whatever kind its row is put down under (a primary monitor that was paired as another one).
  const othersAt = (target: string, { kind, id }: Key): readonly Key[] =>
    (registry.owns(kind) ? owners : [kind]).flatMap((name) => {
      const other = mapping.claim(name, target);
      return other === undefined || other === id ? [] : [{ kind: name, id: other }];
    });
  for (const { kind, action, source, target } of changes) {
    if (source === undefined || target === undefined || !liesOver(registry.movedKind(kind))) continue;
    if (action !== "unchanged" && action !== "update" && action !== "adopt") continue;
    for (const key of othersAt(target.urn, { kind, id: source.urn })) {
      keys.push(key);
      const entry = mapping.get(key.kind, key.id);
      // Who has a place of its own by now gets a row of that.
      const own = placed().get(keyText(key.kind, key.id));
      if (own !== undefined && own !== target.urn) continue;
      diagnostics.push({
        severity: "warning",
        code: "pair-let-go",
        coordinate: { kind: key.kind, urn: key.id, name: entry?.name ?? "" },
        summary: `its pair with ${target.urn} is let go of: that lies over the twin of what "${source.name}" (${source.urn}) lies over`,
        suggestion: "Pair what it lies over itself with its twin, if it is to have one.",
      });
    }
  }
  return { keys, diagnostics };
}
