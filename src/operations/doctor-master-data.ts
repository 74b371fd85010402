import type { Diagnostic } from "../model/diagnostic.ts";
import type { ServiceError } from "../service/index.ts";
import type { Migration } from "./migration.ts";
import { someOf } from "../model/some-of.ts";

/** One thing that the doctor looked at. */
export interface Check {
  readonly side: string;
  readonly name: string;
  readonly state: "ok" | "warning" | "failed";
  readonly detail: string;
}

type Attempt = (
  side: string,
  name: string,
  work: () => Promise<string>,
  optional?: string,
) => Promise<boolean>;

export const masterDataCheck = "master data";
const layersCheck = "master-data layers";
const historyCheck = "master-data history";

export function isMasterDataCheck(name: string): boolean {
  return [masterDataCheck, layersCheck, historyCheck].includes(name);
}

/** Of the directory as it is now; the older variant lacks them (document 3, "Directory"). */
const newer = ["persistence", "purge", "operationPlan"];

/**
 * Whether the master-data server of a side answers, takes writes, has entities and views to show, and history. What is
 * missing in the plan is returned; nothing is where the plan needs no server.
 */
export async function checkMasterData(
  migration: Migration,
  side: "source" | "target",
  attempt: Attempt,
  checks: Check[],
): Promise<{ readonly detail: string; readonly diagnostic: Diagnostic } | undefined> {
  const { name, masterData } = migration.plan[side];
  const client = migration.masterDataReads(side);
  if (client === undefined || masterData === undefined)
    return migration.registry.needsMasterData(migration.plan.select.kinds)
      ? missingIn(side, name)
      : undefined;
  const { records } = client;
  /** Nothing failed, but a person should look. */
  const warnOfLast = (): void => {
    const last = checks.at(-1);
    if (last?.state === "ok") checks.splice(-1, 1, { ...last, state: "warning" });
  };

  let isReadOnly = false;
  let lacks: readonly string[] = [];
  const answers = await attempt(name, masterDataCheck, async () => {
    const found = await records.directory();
    isReadOnly = !found.isWritable;
    lacks = newer.filter((one) => !found.offers.includes(one));
    return `${found.name} ${found.version} answers ${masterData.username}${isReadOnly ? "; it takes no write (rwmode RO)" : ""}`;
  });
  if (side === "target" && isReadOnly) warnOfLast();
  if (!answers) return undefined;

  let isTold = true;
  await attempt(name, layersCheck, async () => {
    const [entities, views] = [await records.entities(), await records.views()];
    isTold = entities !== undefined && views !== undefined;
    const variant =
      lacks.length === newer.length ? `; an older server: its directory lacks ${lacks.join(", ")}` : "";
    return `instances of ${namesOf(entities)}; views ${namesOf(views)}${variant}`;
  });
  if (!isTold) warnOfLast();

  let hasHistory = false;
  await attempt(
    name,
    historyCheck,
    async () => {
      const historised = await records.historised();
      hasHistory = historised !== undefined && historised.length > 0;
      return hasHistory
        ? `kept of ${namesOf(historised)}`
        : "none that can be asked for: when a record was changed cannot be told";
    },
    "Without history ferry cannot tell when a record was changed; everything else works.",
  );
  if (!hasHistory) warnOfLast();
  return undefined;
}

export function masterDataAdvice(error: ServiceError, side: string): string | undefined {
  const advice: Partial<Record<ServiceError["kind"], string>> = {
    "sign-in": `Check username and password under masterData of ${side} in the plan; a redirect means that its baseUrl, or the sign-in of the server, is another.`,
    permission: `Give the user under masterData of ${side} the roles that the server asks for.`,
    unreachable: `Check baseUrl under masterData of ${side} in the plan, and the network.`,
    "not-found": `Check baseUrl under masterData of ${side} in the plan: the interface is at /api/rest below it.`,
  };
  return advice[error.kind];
}

function namesOf(names: readonly string[] | undefined): string {
  if (names === undefined) return "(in a form that is not known)";
  return names.length === 0 ? "none" : someOf(names, 10);
}

function missingIn(
  side: "source" | "target",
  name: string,
): { readonly detail: string; readonly diagnostic: Diagnostic } {
  const detail = "a kind that is selected needs the master-data server, and the plan names none";
  return {
    detail,
    diagnostic: {
      severity: "error",
      code: "doctor-master-data",
      summary: `${name}: ${detail}`,
      suggestion: `Write masterData (baseUrl, username, password) under ${side} in the plan.`,
    },
  };
}
