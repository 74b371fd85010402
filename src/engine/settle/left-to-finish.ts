import type { MovedKind, Step } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import { printOf } from "../../model/canonical.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { keyText } from "../../model/key.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { ReadClient } from "../../service/index.ts";
import { isDraftOf, isPublishedPast } from "../drafts.ts";
import { draftReader } from "../facets/drafts.ts";
import { liesOver } from "../facets/standing.ts";
import { stepNamed } from "../facets/steps.ts";
import type { TargetState } from "../read/target.ts";

interface Where {
  readonly registry: Registry;
  readonly mapping: MappingTable;
  readonly target: Pick<TargetState, "snapshot" | "overlays">;
  /** What a person decided to leave as it is. */
  readonly abandoned?: { has(kind: string, source: string): boolean } | undefined;
}

/** An object whose last step an interrupted run did not come to; that one can be sent again. */
interface Unfinished {
  readonly kind: MovedKind;
  readonly step: Step;
  readonly source: string;
  readonly entry: MappingEntry;
}

/**
 * Of the kinds that were read. They may be brought to their end meanwhile. What lies over something that has another twin by now, since the
 * plan or a person pairs it otherwise, is not brought to its end where it lay: nobody wants it there any more. Where something else lies
 * there by now that is, for our own draft would be in its way; what it says takes the place of that right after.
 */
export function* unfinishedIn(where: Where): Generator<Unfinished, undefined> {
  for (const one of allUnfinished(where)) if (!isElsewhere(one, where)) yield one;
}

/** Told by the run that brings it to its new place, and by each before that. */
export function draftsElsewhere(where: Where, target: string): readonly Diagnostic[] {
  const { snapshot } = where.target;
  return Array.from(allUnfinished(where)).flatMap((one): readonly Diagnostic[] => {
    if (!isElsewhere(one, where)) return [];
    const { kind, source: urn, entry } = one;
    const isPublished =
      snapshot.has(kind.name, entry.target) &&
      printOf(snapshot.body(kind.name, entry.target), kind.shape) === entry.targetFingerprint;
    return isPublished
      ? []
      : [draftLeft({ kind: kind.name, urn, name: entry.name }, entry, target, elsewhere)];
  });
}

const elsewhere = "no run does it: what it lies over has another twin by now, and";

function isElsewhere({ kind, source, entry }: Unfinished, { target: { overlays } }: Where): boolean {
  const place = liesOver(kind) ? overlays.get(kind.name, source) : undefined;
  if (place === undefined || place === entry.target) return false;
  return !overlays.isPlace(kind.name, entry.target);
}

/** Our own draft is anybody's from then on. */
export function draftLeft(
  coordinate: NonNullable<Diagnostic["coordinate"]>,
  { target: urn, unfinished = "" }: MappingEntry,
  target: string,
  why: string,
): Diagnostic {
  return {
    severity: "warning",
    code: "pair-unfinished",
    coordinate,
    summary: `its ${unfinished} at ${target} is still to be done, and ${why} what stands in the draft of ${urn} is left there`,
    suggestion: "Publish or discard the draft by hand in the web application of the target.",
  };
}

function* allUnfinished({
  registry,
  mapping,
  target: { snapshot },
  abandoned,
}: Where): Generator<Unfinished, undefined> {
  const read = new Set(snapshot.kinds());
  for (const kind of registry.moved()) {
    if (!read.has(kind.name)) continue; // Not part of this run (--kinds).
    for (const [source, entry] of Array.from(mapping.unfinished(kind.name))) {
      const step = stepNamed(kind, entry.unfinished);
      if (step?.settle === "repeat" && abandoned?.has(kind.name, source) !== true)
        yield { kind, step, source, entry };
    }
  }
}

/**
 * For looking: keys of the objects whose change an interrupted run has sent and not brought to its end, which the next
 * apply does. What lists show of them is what was there before; that is no change of somebody else. Where a draft shows
 * and is not ours any more, nothing is brought to its end.
 */
export async function leftToFinish(
  where: Where & { readonly client: ReadClient },
): Promise<ReadonlySet<string>> {
  const { snapshot } = where.target;
  const left = new Set<string>();
  for (const { kind, step, source, entry } of unfinishedIn(where)) {
    const { name, target: urn, targetFingerprint: ours, over } = entry;
    if (!snapshot.has(kind.name, urn)) continue;
    const reads = draftReader(kind);
    const body = snapshot.body(kind.name, urn);
    const draft = await reads?.(where.client, { urn, name, body });
    // Where only a change of nothing shows a draft for certain, that reading shows none is no word that there is none.
    const isUnseen = reads === undefined || (draft === undefined && step.probe !== undefined);
    const isOurs = isUnseen || (draft !== undefined && isDraftOf(kind, draft, [ours]));
    if (isOurs && !isPublishedPast(kind, body, { over, ours })) left.add(keyText(kind.name, source));
  }
  return left;
}
