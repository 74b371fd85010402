import type { OverlayKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { Change } from "../../model/change.ts";
import { printOf } from "../../model/canonical.ts";
import { keepsTheirs } from "../../model/mapping.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { ReadClient } from "../../service/index.ts";
import type { SnapshotReader } from "../../store/index.ts";
import { bounded, looksAtOnce } from "../bounded.ts";
import type { Diff } from "../diff/index.ts";
import { instead } from "../diff/instead.ts";
import { isSaidOf, isSilent } from "../facets/standing.ts";
import { withHeld } from "./held.ts";
import type { NotSeen } from "./not-seen.ts";
import { notSeen } from "./not-seen.ts";

export interface SaidOfOptions {
  readonly registry: Pick<Registry, "moved">;
  /** What this run has read of the target; without it all is asked for, as it is now. */
  readonly snapshot?: SnapshotReader;
  readonly client: ReadClient;
  readonly mapping: Pick<MappingTable, "get">;
}

export interface Thing {
  readonly kind: string;
  readonly source: string;
  readonly target: string;
}

/** `changed`: somebody has said it there; `unknown`: why that cannot be told. */
export type Said =
  | { readonly state: "changed"; readonly kind: OverlayKind }
  | { readonly state: "unknown"; readonly kind: OverlayKind; readonly unseen: NotSeen };

/**
 * What somebody has said of a thing at the target besides what was brought there: its steward. Neither the thing's list nor
 * its print shows that, and it would go with it; so it is asked for, one by one, where this run has not read it.
 */
export async function saidBySomebody(
  { kind, source, target }: Thing,
  { registry, snapshot, client, mapping }: SaidOfOptions,
): Promise<Said | undefined> {
  for (const over of registry.moved()) {
    if (!isSaidOf(over, kind)) continue;
    const isRead = snapshot?.kinds().includes(over.name) === true && snapshot.has(over.name, target);
    try {
      const body = isRead ? snapshot.body(over.name, target) : await over.one?.(client, target, {});
      if (body === undefined || isSilent(over, body)) continue;
      const row = mapping.get(over.name, source);
      const isAsLeft = row?.target === target && row.targetFingerprint === printOf(body, over.shape);
      if (isAsLeft && !keepsTheirs(row)) continue;
      return { state: "changed", kind: over };
    } catch (error) {
      return { state: "unknown", kind: over, unseen: notSeen(error) };
    }
  }
  return undefined;
}

/** A thing of which somebody has said something is not as it was left, and is not deleted. */
export async function holdSaidOf(diff: Diff, options: SaidOfOptions): Promise<Diff> {
  const deletes = diff.changes
    .entries()
    .flatMap(([at, change]) => {
      const { action, kind, source, target } = change;
      if (action !== "delete" || source === undefined || target === undefined) return [];
      // What a new one takes the place of has no source of its own.
      if (source.urn === target.urn) return [];
      return [{ at, change, thing: { kind, source: source.urn, target: target.urn } }];
    })
    .toArray();
  const put = new Map<number, Change>();
  await bounded(deletes, looksAtOnce, async ({ at, change, thing }) => {
    const said = await saidBySomebody(thing, options);
    if (said !== undefined) put.set(at, left(change, said));
  });
  return withHeld(diff, put);
}

export function notBrought({ kind }: Said): string {
  return `its ${kind.name} at the target is not what was brought there, and would go with it`;
}

function left(change: Change, said: Said): Change {
  if (said.state === "unknown")
    return instead(
      change,
      "manual",
      `${change.reason}, but whether its ${said.kind.name} is what was brought there is not known: ${said.unseen.why}`,
      { code: "users-unknown", suggestion: said.unseen.act },
    );
  return instead(change, "manual", `${change.reason}, but ${notBrought(said)}`, {
    code: "orphan",
    suggestion:
      "Take that away in the web application of the target, or bring it back to what was brought there, and run again; or delete both by hand.",
  });
}
