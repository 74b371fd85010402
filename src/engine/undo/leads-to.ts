import type { GivenKind } from "../../kinds/kind.ts";
import { referenced } from "../../model/walk.ts";
import type { ReadClient } from "../../service/index.ts";
import type { Planned } from "./plan.ts";

/** What would be sent leads to these. */
export function leadsTo({ reverse }: Planned): readonly string[] {
  if (reverse === undefined || reverse.what === "delete") return [];
  return referenced(reverse.what === "create" ? reverse.body : reverse.patch, ["urn", "embedded"]);
}

/** Those of them that are not there. What cannot be read is not taken for gone: the service says no where it is. */
export async function absentOf(
  kind: GivenKind,
  urns: readonly string[],
  client: ReadClient,
): Promise<readonly string[]> {
  const found = await kind.read(client, new Set(urns), () => new Set());
  if ("notKnown" in found) return [];
  const there = new Set(found.map(({ urn }) => urn));
  return urns.filter((urn) => !there.has(urn));
}
