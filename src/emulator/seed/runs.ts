import type { Urn } from "../../model/urn.ts";
import { itemOf } from "../catalog/items.ts";
import { notFound } from "../problem.ts";
import { finishedWorkflow } from "../processing/runs.ts";
import { rememberInputs } from "../quality/evaluation/runs.ts";
import { tableOf } from "../quality/evaluation/table.ts";
import type { Protection, RunOutcome, TableData, Workflow } from "../state.ts";
import type { Tenant } from "../tenant.ts";

/** The rows of an item: the fields that are left out stay what they are. */
export function seedTable(tenant: Tenant, itemUrn: Urn, data: Partial<TableData>): TableData {
  const table = { ...tableOf(tenant, itemOf(tenant, itemUrn)), ...data };
  tenant.tables.set(itemUrn, table);
  return table;
}

/** A run of a monitor as its schedule starts one, over what is configured and stored by now. */
export function seedRun(tenant: Tenant, monitorUrn: Urn, outcome: RunOutcome = "FINISHED"): Workflow {
  const monitor = tenant.monitors.get(monitorUrn)?.published;
  if (monitor === undefined) throw notFound(`Monitor ${monitorUrn} has no published version.`);
  const subject = { dqMonitorUrn: monitorUrn, catalogItemUrn: monitor.catalogItemUrn };
  const jobs = ["Read", "Evaluate"];
  const run = finishedWorkflow(tenant, { type: "DQ-JOB", name: "DQ evaluation", subject, jobs }, outcome);
  rememberInputs(tenant, run, monitor);
  return run;
}

export function seedProtection(tenant: Tenant, attributeUrn: Urn, protection: Protection): void {
  tenant.protections.set(attributeUrn, protection);
}

/** What a flow that imports brings when it ends, each time. */
export function seedImport(tenant: Tenant, connectionUrn: Urn, bring: () => void): void {
  tenant.imports.set(connectionUrn, bring);
}
