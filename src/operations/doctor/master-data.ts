import { exitCodes } from "../../model/result.ts";
import { someOf } from "../../model/some-of.ts";
import type { Migration } from "../migration.ts";
import { masterDataChecks } from "./advice.ts";
import type { Examination } from "./examination.ts";

/** Of the directory as it is now; the older variant lacks them (document 3, "Directory"). */
const newer = ["persistence", "purge", "operationPlan"];

/**
 * Whether the master-data server of a side answers, takes writes, has entities and views to show, and history. Nothing is
 * looked at where the plan needs no server.
 */
export async function checkMasterData(
  migration: Migration,
  side: "source" | "target",
  examination: Examination,
): Promise<void> {
  const { name, masterData } = migration.plan[side];
  const client = migration.masterDataReads(side);
  if (client === undefined || masterData === undefined) {
    if (migration.registry.needsMasterData(migration.plan.select.kinds)) tellMissing(side, name, examination);
    return;
  }
  const { records } = client;

  let lacks: readonly string[] = [];
  const answers = await examination.look(name, masterDataChecks.server, async () => {
    const found = await records.directory();
    lacks = newer.filter((one) => !found.offers.includes(one));
    const isReadOnly = !found.isWritable;
    return {
      state: side === "target" && isReadOnly ? "warning" : "ok",
      detail: `${found.name} ${found.version} answers ${masterData.username}${isReadOnly ? "; it takes no write (rwmode RO)" : ""}`,
    };
  });
  if (!answers) return;

  await examination.look(name, masterDataChecks.layers, async () => {
    const [entities, views] = [await records.entities(), await records.views()];
    const variant =
      lacks.length === newer.length ? `; an older server: its directory lacks ${lacks.join(", ")}` : "";
    return {
      state: entities === undefined || views === undefined ? "warning" : "ok",
      detail: `instances of ${namesOf(entities)}; views ${namesOf(views)}${variant}`,
    };
  });

  await examination.look(
    name,
    masterDataChecks.history,
    async () => {
      const historised = await records.historised();
      return historised !== undefined && historised.length > 0
        ? `kept of ${namesOf(historised)}`
        : {
            state: "warning",
            detail: "none that can be asked for: when a record was changed cannot be told",
          };
    },
    "Without history ferry cannot tell when a record was changed; everything else works.",
  );
}

function namesOf(names: readonly string[] | undefined): string {
  if (names === undefined) return "(in a form that is not known)";
  return names.length === 0 ? "none" : someOf(names, 10);
}

function tellMissing(side: "source" | "target", name: string, examination: Examination): void {
  const detail = "a kind that is selected needs the master-data server, and the plan names none";
  examination.fail(
    { side: name, name: masterDataChecks.server, detail },
    {
      severity: "error",
      code: "doctor-master-data",
      summary: `${name}: ${detail}`,
      suggestion: `Write masterData (baseUrl, username, password) under ${side} in the plan.`,
    },
    exitCodes.usage,
  );
}
