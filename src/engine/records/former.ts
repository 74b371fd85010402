import type { FormerReading, OpenTable, Row } from "../../kinds/kind.ts";
import type { Policy } from "../../model/plan.ts";
import { partWritten } from "../../model/row-print.ts";
import type { KnownRows } from "../../store/index.ts";
import type { Known } from "./decide.ts";
import { decide } from "./decide.ts";
import { changesOf, printOf } from "./prints.ts";

/** What is known of rows by prints of what the plan moved of them before it was changed. */
export interface FormerRows {
  readonly known: Pick<KnownRows, "get">;
  readonly reading: FormerReading;
}

/**
 * The same by the prints that are there. What a run has written in one sense is known in no other one: whichever of these tells of
 * somebody who has changed the row tells the truth.
 */
export function knownFormerly(
  source: Row & { readonly key: string },
  atTarget: readonly Row[],
  print: string,
  { formers, open }: { readonly formers: readonly FormerRows[]; readonly open: OpenTable },
): Known | undefined {
  let first: Known | undefined;
  for (const { known, reading } of formers) {
    const was = known.get(print);
    if (was === undefined) continue;
    const now = knownByNow(source, atTarget, was, { reading, open });
    if (now.target === partWritten) return now;
    first ??= now;
  }
  return first;
}

/**
 * What is known of a row in the sense that the plan has by now: who has changed it is found out as the plan read it then, and what it
 * moves beside that the source has changed.
 */
function knownByNow(
  source: Row & { readonly key: string },
  atTarget: readonly Row[],
  was: Known,
  { reading, open }: { readonly reading: FormerReading; readonly open: OpenTable },
): Known {
  // The policy says what follows, and not who it was.
  const policy: Pick<Policy, "drift" | "conflict" | "missingTarget"> = {
    drift: "report",
    conflict: "report",
    missingTarget: "report",
  };
  const isOurs = (name: string): boolean => open.isOurs(name) && reading.isOurs(name);
  const { action } = decide(source, atTarget, was, policy, { ...open, isOurs });
  const [target] = atTarget;
  const ours = printOf(source.values, open);
  if (action === "drift") return { source: ours, target: partWritten };
  if (action === "conflict" || target === undefined) return { source: partWritten, target: partWritten };
  const isMore = changesOf(source, target, open).some(({ name }) => !reading.isOurs(name));
  return {
    source: action === "unchanged" && !isMore ? ours : partWritten,
    target: printOf(target.values, open),
  };
}
