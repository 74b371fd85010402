import type { Diagnostic } from "../model/diagnostic.ts";
import { oneEnvironment } from "../engine/checks/one-environment.ts";
import type { Shared } from "../engine/checks/one-environment.ts";
import { MappingTable } from "../model/mapping-table.ts";
import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import type { ExitCode } from "../model/result.ts";
import type { Page, ReadClient } from "../service/index.ts";
import { certificateAdvice, ServiceError } from "../service/index.ts";
import { StoreError } from "../store/index.ts";
import { forgetNotOffered } from "./capabilities.ts";
import type { Check } from "./doctor-master-data.ts";
import {
  checkMasterData,
  isMasterDataCheck,
  masterDataAdvice,
  masterDataCheck,
} from "./doctor-master-data.ts";
import type { Migration } from "./migration.ts";
import { findModelGaps } from "./model-gaps.ts";
import type { NotThere } from "../engine/pair/not-there.ts";
import { notThereDiagnostics } from "../engine/pair/not-there.ts";
import type { PairingEdit } from "./pairing-edits.ts";
import { pairingEdits, without } from "./pairing-edits.ts";
import { pairingBlock } from "./pairing-block.ts";
import { tableProblems } from "./records/check.ts";
import { selectedTables } from "./records/tables.ts";
import { plural, resultOf } from "./result.ts";
import { readState } from "./state.ts";
import { findUnpaired } from "./unpaired.ts";
import type { WithoutTwin } from "./unpaired.ts";
import type { Unlisted } from "../engine/pair/unlisted.ts";

export interface DoctorOptions {
  /** Puts guessed pairs into the plan; without it they are only printed. Says which it put there. */
  readonly write?: (edits: readonly PairingEdit[]) => Promise<readonly PairingEdit[]>;
}

/** Configuration, sign-in, reach, permissions and shapes on both sides; writes nothing to either. */
export async function doctorPlan(migration: Migration, { write }: DoctorOptions = {}): Promise<Result> {
  const checks: Check[] = [];
  const diagnostics: Diagnostic[] = [];
  const codes: ExitCode[] = [];
  const attempt = async (
    side: string,
    name: string,
    work: () => Promise<string>,
    optional?: string,
  ): Promise<boolean> => {
    try {
      checks.push({ side, name, state: "ok", detail: await work() });
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError) && !(error instanceof StoreError)) throw error;
      if (error instanceof ServiceError && error.kind === "aborted") throw error;
      const failed = optional === undefined || !isAbsent(error);
      checks.push({ side, name, state: failed ? "failed" : "warning", detail: error.message });
      const suggestion = (failed ? adviceFor(error, side, name) : undefined) ?? optional;
      diagnostics.push({
        severity: failed ? "error" : "warning",
        code: `doctor-${name.replaceAll(" ", "-")}`,
        summary: `${side}: ${name}: ${error.message}`,
        ...(suggestion === undefined ? {} : { suggestion }),
      });
      if (failed) codes.push(codeOf(error));
      return false;
    }
  };

  let known = new MappingTable();
  await attempt("files", "state", async () => {
    await migration.store.work.prepare();
    await migration.store.state.prepare();
    const { mapping, replayed } = await readState(migration);
    known = mapping;
    const total = mapping.kinds().reduce((sum, kind) => sum + mapping.entries(kind).size, 0);
    const left =
      replayed.doubts.length === 0 ? "" : `, ${plural(replayed.doubts.length, "operation")} in doubt`;
    const missing = await forgetNotOffered(migration);
    const tried =
      missing === 0 ? "" : `; what ${migration.plan.target.name} was seen not to offer is tried again`;
    return `folders can be written, ${plural(total, "object")} mapped${left}${tried}`;
  });
  let sides = 0;
  for (const [side, client] of [
    [migration.plan.source.name, migration.source()],
    [migration.plan.target.name, migration.targetReads()],
  ] as const) {
    const signedIn = await attempt(side, "sign-in", async () => {
      await client.signIn();
      return `as ${side === migration.plan.source.name ? migration.plan.source.clientId : migration.plan.target.clientId} in ${client.environment.realm}`;
    });
    if (!signedIn) continue;
    sides += 1;
    for (const [name, list, optional] of readings(client)) {
      await attempt(side, name, async () => firstPage(list()), optional);
    }
  }

  for (const side of ["source", "target"] as const) {
    const missing = await checkMasterData(migration, side, attempt, checks);
    if (missing === undefined) continue;
    checks.push({
      side: migration.plan[side].name,
      name: masterDataCheck,
      state: "failed",
      detail: missing.detail,
    });
    diagnostics.push(missing.diagnostic);
    codes.push(exitCodes.usage);
  }

  if (sides === 2) {
    await attempt(migration.plan.target.name, "types and properties", async () => {
      const gaps = await findModelGaps(migration);
      diagnostics.push(...gaps);
      return gaps.length === 0
        ? `${migration.plan.target.name} has all types and properties that the plan's kinds may carry`
        : `${migration.plan.target.name} lacks ${gaps.length} of them`;
    });
  }

  if (sides === 2 && selectedTables(migration).length > 0) {
    let lacking = 0;
    const told = await attempt("both", "tables", async () => {
      const problems = await tableProblems(migration);
      lacking = problems.length;
      diagnostics.push(...problems);
      if (problems.length > 0) codes.push(exitCodes.failed);
      return `${plural(selectedTables(migration).length, "table")}, ${problems.length} of them cannot be moved`;
    });
    const last = checks.at(-1);
    if (told && last !== undefined && lacking > 0) checks.splice(-1, 1, { ...last, state: "failed" });
  }

  let unpaired: readonly WithoutTwin[] = [];
  let notKnown: readonly Unlisted[] = [];
  let wrong: readonly NotThere[] = [];
  let shared: Shared | undefined;
  if (sides === 2) {
    const told = await attempt("both", "pairing", async () => {
      const found = await findUnpaired(migration, known);
      ({ unpaired, notKnown, shared, notThere: wrong } = found);
      const groups = found.exported ? "" : "; groups are known after `ferry export`";
      const unsure = notKnown.map(({ reason }) => `; ${reason}`).join("");
      return `${unpaired.length === 0 ? "nothing" : countsOf(unpaired)} without a twin${groups}${unsure}`;
    });
    const last = checks.at(-1);
    // Nothing failed, but a person should look.
    if (told && last !== undefined && unpaired.length + notKnown.length + wrong.length > 0)
      checks.splice(-1, 1, { ...last, state: "warning" });
  }
  if (shared !== undefined) {
    const { code, message, suggestion = "" } = oneEnvironment(migration.parties, shared);
    checks.push({ side: "both", name: "environments", state: "failed", detail: message });
    diagnostics.push({ severity: "error", code, summary: message, suggestion });
    codes.push(exitCodes.usage);
  }
  const edits = pairingEdits(migration.plan.pairing, unpaired, wrong);
  const written = edits.length === 0 ? [] : ((await write?.(edits)) ?? []);
  // What has been put into the plan is not missing there any more.
  ({ unpaired, notThere: wrong } = without(written, unpaired, wrong));
  diagnostics.push(
    ...notThereDiagnostics(wrong, migration.plan.target.name),
    ...unpairedDiagnostics(migration, unpaired),
    ...shortQuietPeriod(migration),
  );
  for (const { kind, reason, suggestion } of notKnown) {
    const advice = suggestion.replace("PLAN", migration.plan.name);
    const summary = `${kind}: ${reason}`;
    diagnostics.push({ severity: "warning", code: "doctor-not-known", summary, suggestion: advice });
  }

  const failed = checks.filter((check) => check.state === "failed").length;
  const telling = [exitCodes.permission, exitCodes.usage].find((code) => codes.includes(code));
  return resultOf(migration, {
    command: "doctor",
    exitCode: failed === 0 ? exitCodes.done : (telling ?? exitCodes.failed),
    diagnostics,
    headline: `${headlineOf(failed, unpaired)}${written.length === 0 ? "" : ` ${plural(written.length, "pair")} put into the plan, guessed by name: look at them.`}`,
    next:
      failed > 0
        ? [`ferry doctor ${migration.plan.name}`]
        : [...adviceOn(migration, edits, written, unpaired), `ferry diff ${migration.plan.name}`],
    details: {
      checks,
      ...(written.length === 0 ? {} : { written }),
      // What was written is in the plan by now: the whole section would be that of the one before.
      ...(unpaired.length === 0 || written.length > 0
        ? {}
        : {
            pairing: pairingBlock(
              migration.plan.pairing,
              unpaired.map(({ section, found: { name, word, nearest } }) => ({
                section,
                name: word ?? name,
                nearest,
              })),
              migration.plan.target.name,
            ),
          }),
    },
  });
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

function headlineOf(failed: number, unpaired: readonly WithoutTwin[]): string {
  if (failed > 0) return `${plural(failed, "check")} failed.`;
  const missing = unpaired.length === 0 ? "" : ` Without a twin: ${countsOf(unpaired)}.`;
  return `Both sides can be read.${missing} Whether the target may be written shows only when something is written.`;
}

/** `3 sources, 1 group`. */
function countsOf(unpaired: readonly WithoutTwin[]): string {
  return [...Map.groupBy(unpaired, ({ section }) => section)]
    .map(([section, entries]) => plural(entries.length, section.slice(0, -1)))
    .join(", ");
}

/** One for each section: the block beneath has them line by line. */
function unpairedDiagnostics(migration: Migration, unpaired: readonly WithoutTwin[]): readonly Diagnostic[] {
  const { source, target } = migration.plan;
  return [...Map.groupBy(unpaired, ({ section }) => section)].map(([section, entries]): Diagnostic => {
    const names = entries.slice(0, 5).map(({ found }) => `"${found.name}"`);
    const more = entries.length > names.length ? ` and ${entries.length - names.length} more` : "";
    return {
      severity: "warning",
      code: "doctor-unpaired",
      summary: `${section} of ${source.name} without a twin at ${target.name}: ${names.join(", ")}${more}`,
    };
  });
}

function adviceFor(error: ServiceError | StoreError, side: string, check: string): string | undefined {
  if (error instanceof StoreError) return error.suggestion;
  const advice: Partial<Record<ServiceError["kind"], string>> = {
    "sign-in": `Check realm, clientId and clientSecret of ${side} in the plan.`,
    permission: `Give the API client of ${side} the permission to read this, or select fewer kinds.`,
    unreachable: `Check baseUrl of ${side} in the plan, and the network.`,
    timeout: "Raise limits.requestTimeout in the plan, or try again later.",
  };
  return (
    certificateAdvice(error) ??
    // The tables are looked at on both sides, and some of them at another server.
    (isMasterDataCheck(check) || error.path.startsWith("/api/rest/")
      ? masterDataAdvice(error, side === "both" ? "source and target" : side)
      : undefined) ??
    advice[error.kind]
  );
}

function readings(client: ReadClient): readonly (readonly [string, () => AsyncIterable<Page>, string?])[] {
  const generic =
    "Where they cannot be listed (the metadata model may lack the type), they are paired by `ferry mappings PLAN set` only.";
  return [
    ["metadata model", () => client.catalog.metadataModel()],
    ["terms", () => client.catalog.terms({})],
    ["catalog items", () => client.catalog.filterCatalogItems({ name: { isNotNull: true } }, {})],
    ["attributes", () => client.catalog.attributes({})],
    ["rules", () => client.quality.rules()],
    ["monitors", () => client.quality.monitors({})],
    ["dashboards", () => client.quality.dashboards()],
    [
      "dimensions",
      () => client.quality.dimensions(),
      "Without dimensions no rule can be moved: pair them with `ferry mappings PLAN set`.",
    ],
    [
      "transformations",
      () => client.quality.transformations(),
      "The path is not documented: pair transformations with `ferry mappings PLAN set`.",
    ],
    ["sources", () => client.catalog.entities({ entityType: "source", properties: ["name"] }), generic],
    [
      "detection rules",
      () => client.catalog.entities({ entityType: "detectionRule", properties: ["name"] }),
      generic,
    ],
  ];
}

async function firstPage(pages: AsyncIterable<Page>): Promise<string> {
  for await (const page of pages) {
    const total =
      page.total === undefined ? `${page.items.length} on the first page` : `${page.total} in all`;
    return `can be read, ${total}`;
  }
  return "can be read, none";
}

function isAbsent(error: ServiceError | StoreError): boolean {
  return error instanceof ServiceError && (error.kind === "not-found" || error.kind === "refused");
}

function codeOf(error: ServiceError | StoreError): ExitCode {
  if (!(error instanceof ServiceError)) return exitCodes.failed;
  return error.kind === "sign-in" || error.kind === "permission" ? exitCodes.permission : exitCodes.failed;
}
