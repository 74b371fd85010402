import type { CheckSide, CheckView } from "../../../src/kinds/kind.ts";
import type { Action, Change } from "../../../src/model/change.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { keyText } from "../../../src/model/key.ts";
import { planOf } from "../../support/plan.ts";

/** A view of a diff in memory; by itself nothing is there and nothing is wanted. */
export function view(parts: Partial<CheckView>): CheckView {
  return {
    changes: [],
    policy: planOf().policy,
    source: side({}),
    target: side({}),
    refersTo: () => undefined,
    resolve: () => ({ state: "unresolved", reason: "" }),
    isTwin: () => false,
    givenAtTarget: () => undefined,
    typesThere: { general: () => undefined, exact: () => undefined },
    ...parts,
  };
}

/** Bodies by kind and URN. */
export function side(kinds: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>): CheckSide {
  return {
    bodies: (kind) => Object.values(kinds[kind] ?? {}),
    has: (kind, urn) => kinds[kind]?.[urn] !== undefined,
    body(kind, urn) {
      const found = kinds[kind]?.[urn];
      if (found === undefined) throw new Error(`no ${kind} ${urn}`);
      return found;
    },
  };
}

export function change(kind: string, urn: string, action: Action): Change {
  return {
    id: keyText(kind, urn),
    kind,
    action,
    source: { urn, name: urn },
    reason: "",
    fields: [],
    diagnostics: [],
    dependsOn: [],
  };
}
