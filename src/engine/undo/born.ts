import type { Registry } from "../../kinds/registry.ts";
import { urnType } from "../../model/urn.ts";
import type { ReadClient } from "../../service/index.ts";
import { standsAlone } from "../facets/standing.ts";
import { absentOf, leadsTo } from "./leads-to.ts";
import type { Planned } from "./plan.ts";
import { leftAsItIs } from "./words.ts";

/**
 * What was born with something that the run deleted went with it, and comes anew under names that no record has: what
 * led to it cannot come back, and what lay over it does not.
 */
export async function withoutBorn(
  planned: readonly Planned[],
  registry: Registry,
  client: ReadClient,
): Promise<readonly Planned[]> {
  const born = new Set(planned.flatMap((item) => bornWith(item)));
  if (born.size === 0) return planned;
  const gone = await absent(planned, born, registry, client);
  return planned.map((item) => {
    if (bornWith(item).length > 0) return comesBare(item);
    const lost = leadsTo(item).filter((urn) => gone.has(urn)).length;
    if (lost === 0) return item;
    const what = lost === 1 ? "a column" : `${lost} columns`;
    return leftAsItIs(
      item.deed,
      item.kind,
      `it leads to ${what} of an SQL item that the run deleted: they come back as others, and nothing tells which is which`,
      "Make it anew at the target; where the source has it still, the next apply brings it.",
    );
  });
}

function bornWith({ kind, reverse }: Planned): readonly string[] {
  return reverse?.what === "create" && standsAlone(kind) ? (kind.births?.kinds ?? []) : [];
}

function comesBare(item: Planned): Planned {
  const { change, deed } = item;
  return {
    ...item,
    change: {
      ...change,
      diagnostics: [
        ...change.diagnostics,
        {
          severity: "warning",
          code: "left-as-it-is",
          coordinate: { kind: deed.kind, urn: deed.source, name: deed.name },
          summary:
            "it comes back with columns of its own: what was said of them, and its primary monitor, went with it",
          suggestion: "Look at it at the target, and put that right by hand.",
        },
      ],
    },
  };
}

/** What is led to, and is not there. */
async function absent(
  planned: readonly Planned[],
  born: ReadonlySet<string>,
  registry: Registry,
  client: ReadClient,
): Promise<ReadonlySet<string>> {
  const urns = new Set(planned.flatMap(leadsTo));
  const gone = new Set<string>();
  for (const [kind, wanted] of Map.groupBy(urns, (urn) => registry.givenOf(urnType(urn) ?? ""))) {
    if (kind === undefined || !born.has(kind.name)) continue;
    for (const urn of await absentOf(kind, wanted, client)) gone.add(urn);
  }
  return gone;
}
