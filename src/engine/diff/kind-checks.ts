import type { CheckSide, CheckView } from "../../kinds/kind.ts";
import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { become } from "../../model/packed/change-list.ts";
import type { SnapshotReader } from "../../store/index.ts";
import type { DiffInput } from "./input.ts";
import { instead } from "./instead.ts";
import type { Nodes } from "./node.ts";
import type { Resolver } from "./resolver.ts";

export interface Checked {
  readonly changes: readonly Change[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * What the kinds themselves have to say about all changes together: each check once, in the order of the kinds, each
 * seeing what those before it have left. Nobody else in the engine knows what they are about.
 */
export function kindChecks(
  changes: readonly Change[],
  input: DiffInput,
  nodes: Pick<Nodes, "named">,
  resolver: Resolver,
): Checked {
  const checks = new Set(input.registry.moved().flatMap((kind) => kind.checks ?? []));
  const view: Omit<CheckView, "changes"> = {
    policy: input.plan.policy,
    source: sideOf(input.source),
    target: sideOf(input.target.snapshot),
    refersTo: (urn) => nodes.named.get(urn)?.plain,
    resolve: (urn) => resolver.urn(urn),
    isTwin: (kind, urn) => {
      const twin = input.mapping.claim(kind, urn);
      return twin !== undefined && input.source.has(kind, twin);
    },
    givenAtTarget: (urn) => input.target.pairs.records.get(urn),
    typesThere: resolver.typesThere,
  };
  const diagnostics: Diagnostic[] = [];
  let left = changes;
  for (const check of checks) {
    const found = check.run({ ...view, changes: left });
    for (const diagnostic of found.diagnostics) diagnostics.push(diagnostic);
    const { held } = found;
    if (held === undefined || held.size === 0) continue;
    const asHeld = (change: Change): Change => {
      const why = held.get(change.id);
      if (why === undefined) return change;
      const { reason, ...rest } = why;
      return instead(change, "manual", reason, rest);
    };
    left = become(left, asHeld);
  }
  return { changes: left, diagnostics };
}

function sideOf(snapshot: SnapshotReader): CheckSide {
  return {
    *bodies(kind) {
      if (!snapshot.kinds().includes(kind)) return;
      for (const { body } of snapshot.stream(kind)) yield body;
    },
    has: (kind, urn) => snapshot.has(kind, urn),
    body: (kind, urn) => snapshot.body(kind, urn),
  };
}
