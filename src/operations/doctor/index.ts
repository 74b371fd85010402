import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Result } from "../../model/result.ts";
import { plural } from "../../model/plural.ts";
import type { Migration } from "../migration.ts";
import { resultOf } from "../result.ts";
import type { Check } from "./examination.ts";
import { Examination } from "./examination.ts";
import { checkMasterData } from "./master-data.ts";
import { checkModel } from "./model.ts";
import { pairingBlock } from "./pairing-block.ts";
import type { PairingEdit } from "./pairing-edits.ts";
import { pairingEdits, without } from "./pairing-edits.ts";
import { checkPairing, countsOf, nothingFound, pairingDiagnostics } from "./pairing.ts";
import { checkPlanFits } from "./plan-fits.ts";
import { checkReach } from "./reach.ts";
import { checkState } from "./state.ts";
import { checkTables } from "./tables.ts";
import type { WithoutTwin } from "./unpaired.ts";

export interface DoctorOptions {
  /** Puts guessed pairs into the plan; without it they are only printed. Says which it put there. */
  readonly write?: (edits: readonly PairingEdit[]) => Promise<readonly PairingEdit[]>;
}

/** Configuration, sign-in, reach, permissions and shapes on both sides; writes nothing to either. */
export async function doctorPlan(
  migration: Migration,
  { write }: DoctorOptions = {},
): Promise<Result & { readonly details: { readonly checks: readonly Check[] } }> {
  const { plan } = migration;
  const examination = new Examination();
  const known = await checkState(migration, examination);
  const isReached = await checkReach(migration, examination);
  for (const side of ["source", "target"] as const) await checkMasterData(migration, side, examination);
  if (isReached) {
    await checkModel(migration, examination);
    await checkTables(migration, examination);
  }
  const found = isReached ? await checkPairing(migration, known, examination) : nothingFound;
  if (isReached) await checkPlanFits(migration, examination);

  const edits = pairingEdits(plan.pairing, found.unpaired, found.notThere);
  const written = edits.length === 0 ? [] : ((await write?.(edits)) ?? []);
  // What has been put into the plan is not missing there any more.
  const left = without(written, found.unpaired, found.notThere);
  const { unpaired } = left;
  examination.tell(pairingDiagnostics({ ...found, ...left }, migration));
  examination.tell(shortQuietPeriod(migration));

  const { failed, exitCode, checks, diagnostics } = examination;
  const result = resultOf(migration, {
    command: "doctor",
    exitCode,
    diagnostics,
    headline: `${headlineOf(failed, unpaired)}${written.length === 0 ? "" : ` ${plural(written.length, "pair")} put into the plan, guessed by name: look at them.`}`,
    next:
      failed > 0
        ? [`ferry doctor ${plan.name}`]
        : [...adviceOn(migration, edits, written, unpaired), `ferry diff ${plan.name}`],
  });
  return {
    ...result,
    details: {
      checks,
      ...(written.length === 0 ? {} : { written }),
      // What was written is in the plan by now: the whole section would be that of the one before.
      ...(unpaired.length === 0 || written.length > 0 ? {} : { pairing: blockFor(migration, unpaired) }),
    },
  };
}

/** Who waits less than a request may take sends again what may still come. */
function shortQuietPeriod(migration: Migration): readonly Diagnostic[] {
  const { quietPeriodMs, requestTimeoutMs } = migration.plan.limits;
  if (quietPeriodMs >= requestTimeoutMs) return [];
  return [
    {
      severity: "warning",
      code: "quiet-period-short",
      summary: `limits.quietPeriod (${quietPeriodMs / 1_000} s) is shorter than limits.requestTimeout (${requestTimeoutMs / 1_000} s): a create whose answer was lost could be sent again while the service still works on the first`,
      suggestion: `Set limits.quietPeriod above the longest timeout of the service and of what lies before it, at least ${requestTimeoutMs / 1_000}s.`,
    },
  ];
}

/** What the plan still lacks, and who could put it there. */
function adviceOn(
  migration: Migration,
  edits: readonly PairingEdit[],
  written: readonly PairingEdit[],
  unpaired: readonly WithoutTwin[],
): readonly string[] {
  if (written.length > 0) return [`ferry doctor ${migration.plan.name}`];
  const byItself =
    edits.length === 0
      ? []
      : [`ferry doctor ${migration.plan.name} --write   (puts the guesses by name into the plan)`];
  return [...byItself, ...(unpaired.length === 0 ? [] : [pasteIt])];
}

const pasteIt =
  "Put into the plan what fits of the pairing section above; what nothing refers to may stay as it is.";

function blockFor({ plan }: Migration, unpaired: readonly WithoutTwin[]): string {
  const loose = unpaired.map(({ section, found: { name, word, nearest } }) => ({
    section,
    name: word ?? name,
    nearest,
  }));
  return pairingBlock(plan.pairing, loose, plan.target.name);
}

function headlineOf(failed: number, unpaired: readonly WithoutTwin[]): string {
  if (failed > 0) return `${plural(failed, "check")} failed.`;
  const missing = unpaired.length === 0 ? "" : ` Without a twin: ${countsOf(unpaired)}.`;
  return `Both sides can be read.${missing} Whether the target may be written shows only when something is written.`;
}
