import { EngineError } from "../../engine/progress.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { exitCodes } from "../../model/result.ts";
import { plural } from "../../model/plural.ts";
import { PlanError } from "../../plan/plan-error.ts";
import { failureOf } from "../failure.ts";
import { resolveFlows } from "../flow-names.ts";
import type { Migration } from "../migration.ts";
import type { Examination, Finding } from "./examination.ts";

/** Whether what the plan names is there, as every other command asks before it does anything: types, and flows. */
export async function checkPlanFits(migration: Migration, examination: Examination): Promise<void> {
  const { source, target, select, flows } = migration.plan;
  const { entityTypes } = select;
  if (select.kinds.includes("entities"))
    await lookAtPlan(examination, source.name, "entity types", async () => {
      await migration.kinds("source");
      return `${plural(entityTypes.length, "type")} of the plan can be moved`;
    });
  const planned = [...(flows?.before ?? []), ...(flows?.after ?? [])];
  if (planned.length > 0)
    await lookAtPlan(examination, target.name, "documentation flows", async () => {
      await resolveFlows(migration.targetReads(), planned);
      return `${plural(planned.length, "flow")} of the plan found, with what they run on`;
    });
}

/** What would end any other command before it has done anything is a check that fails. */
async function lookAtPlan(
  examination: Examination,
  side: string,
  name: string,
  work: () => Promise<Finding>,
): Promise<void> {
  try {
    await examination.look(side, name, work);
  } catch (error) {
    const isOfPlan = error instanceof PlanError || error instanceof EngineError;
    const failure = isOfPlan ? failureOf(error, false) : undefined;
    const [first, ...more] = failure?.diagnostics ?? [];
    if (first === undefined || failure?.exitCode === exitCodes.interrupted) throw error;
    const told = ({ summary, ...rest }: Diagnostic): Diagnostic => ({
      ...rest,
      summary: `${side}: ${name}: ${summary}`,
    });
    examination.fail(
      { side, name, detail: first.summary },
      told(first),
      failure?.exitCode ?? exitCodes.failed,
    );
    examination.tell(more.map(told));
  }
}
