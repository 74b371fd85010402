import { oneEnvironment } from "../../engine/checks/one-environment.ts";
import type { Shared } from "../../engine/checks/one-environment.ts";
import type { NotThere } from "../../engine/pair/not-there.ts";
import { notThereDiagnostics } from "../../engine/pair/not-there.ts";
import type { Unlisted } from "../../engine/pair/unlisted.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { exitCodes } from "../../model/result.ts";
import { plural } from "../../model/plural.ts";
import type { Migration } from "../migration.ts";
import type { Examination } from "./examination.ts";
import type { WithoutTwin } from "./unpaired.ts";
import { findUnpaired } from "./unpaired.ts";

/** What of the given things is not paired, or not rightly. */
export interface PairingFound {
  readonly unpaired: readonly WithoutTwin[];
  /** What the plan names and the target does not have. */
  readonly notThere: readonly NotThere[];
  /** Lists that could not be read: nothing is said of what would be on them. */
  readonly notKnown: readonly Unlisted[];
}

export const nothingFound: PairingFound = { unpaired: [], notThere: [], notKnown: [] };

/** Whether what is only given on both sides has its twin, and whether the two sides are two. */
export async function checkPairing(
  migration: Migration,
  known: MappingTable,
  examination: Examination,
): Promise<PairingFound> {
  let found = nothingFound;
  let shared: Shared | undefined;
  await examination.look("both", "pairing", async () => {
    const { exported, shared: one, ...all } = await findUnpaired(migration, known);
    found = all;
    shared = one;
    const { unpaired, notThere, notKnown } = all;
    const groups = exported ? "" : "; groups are known after `ferry export`";
    const unsure = notKnown.map(({ reason }) => `; ${reason}`).join("");
    return {
      // Nothing failed, but a person should look.
      state: unpaired.length + notKnown.length + notThere.length > 0 ? "warning" : "ok",
      detail: `${unpaired.length === 0 ? "nothing" : countsOf(unpaired)} without a twin${groups}${unsure}`,
    };
  });
  if (shared !== undefined) tellOne(migration, shared, examination);
  return found;
}

function tellOne({ parties }: Migration, shared: Shared, examination: Examination): void {
  const { code, message: summary, suggestion = "" } = oneEnvironment(parties, shared);
  examination.fail(
    { side: "both", name: "environments", detail: summary },
    { severity: "error", code, summary, suggestion },
    exitCodes.usage,
  );
}

/** `3 sources, 1 group`. */
export function countsOf(unpaired: readonly WithoutTwin[]): string {
  return [...Map.groupBy(unpaired, ({ section }) => section)]
    .map(([section, entries]) => plural(entries.length, section.slice(0, -1)))
    .join(", ");
}

/** What a person is told of it. */
export function pairingDiagnostics(
  { unpaired, notThere, notKnown }: PairingFound,
  { plan: { name: plan, source, target } }: Migration,
): readonly Diagnostic[] {
  return [
    ...notThereDiagnostics(notThere, target.name),
    ...unpairedDiagnostics(unpaired, source.name, target.name),
    ...notKnown.map(({ kind, reason, suggestion }): Diagnostic => {
      const summary = `${kind}: ${reason}`;
      const advice = suggestion.replace("PLAN", plan);
      return { severity: "warning", code: "doctor-not-known", summary, suggestion: advice };
    }),
  ];
}

/** One for each section: the block beneath has them line by line. */
function unpairedDiagnostics(
  unpaired: readonly WithoutTwin[],
  source: string,
  target: string,
): readonly Diagnostic[] {
  return [...Map.groupBy(unpaired, ({ section }) => section)].map(([section, entries]): Diagnostic => {
    const names = entries.slice(0, 5).map(({ found }) => `"${found.name}"`);
    const more = entries.length > names.length ? ` and ${entries.length - names.length} more` : "";
    return {
      severity: "warning",
      code: "doctor-unpaired",
      summary: `${section} of ${source} without a twin at ${target}: ${names.join(", ")}${more}`,
    };
  });
}
