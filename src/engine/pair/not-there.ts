import type { Registry } from "../../kinds/registry.ts";
import { mostAlike } from "../../model/alike.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Pairing } from "../../model/plan.ts";
import { pairLine } from "../../model/plan-lines.ts";
import { urnType } from "../../model/urn.ts";
import { isGiven } from "../facets/standing.ts";
import type { Pairs } from "./pairing.ts";

/** A pair of the plan whose right-hand side is the name of nothing at the target. */
export interface NotThere {
  readonly section: "sources" | "connections";
  readonly source: string;
  readonly written: string;
  /** What is most like it there. */
  readonly nearest: string | undefined;
}

/** Only where the target's list was read whole: what was not asked for is not missing. */
export function notThere(
  pairing: Pick<Pairing, "sources" | "connections">,
  pairs: Pick<Pairs, "records" | "twins" | "unlisted">,
  registry: Registry,
): readonly NotThere[] {
  return (["sources", "connections"] as const).flatMap((section) => {
    const kind = registry.get(section);
    if (!isGiven(kind) || pairs.unlisted.has(section)) return [];
    const isOne = new Set(kind.urnTypes);
    const records = [...pairs.records.values()].filter(({ urn }) => isOne.has(typeOf(urn)));
    if (records.length === 0) return [];
    const names = new Set(records.map(({ name }) => name));
    const missing = Object.entries(pairing[section]).filter(([, written]) => !names.has(written));
    if (missing.length === 0) return [];
    // To write one down that is another's twin would take it from that.
    const twins = new Set([...pairs.twins.values()].filter((urn) => isOne.has(typeOf(urn))));
    const theirs = new Set(Object.values(pairing[section]));
    const free = records.flatMap(({ urn, name }) => (twins.has(urn) || theirs.has(name) ? [] : [name]));
    return missing.map(([source, written]) => ({
      section,
      source,
      written,
      nearest: mostAlike(written, free, (name) => name),
    }));
  });
}

export function notThereDiagnostics(found: readonly NotThere[], target: string): readonly Diagnostic[] {
  return found.map(({ section, source, written, nearest }) => {
    const near = nearest === undefined ? "" : `; nearest: "${nearest}"`;
    return {
      severity: "warning",
      code: "pairing-not-there",
      summary: `pairing.${section}: "${written}" is not there at ${target}${near}`,
      suggestion:
        nearest === undefined
          ? `Correct or remove the entry of "${source}" under pairing.${section}.`
          : `In the plan, under pairing.${section}, correct \`${pairLine(source, nearest)}\` (a guess by name: check it)`,
    };
  });
}

function typeOf(urn: string): string {
  return urnType(urn) ?? "";
}
