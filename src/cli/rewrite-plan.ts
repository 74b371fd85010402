import type { Plan } from "../model/plan.ts";
import { PlanError } from "../plan/plan-error.ts";
import type { LoadedPlan } from "../plan/load.ts";
import { readText } from "../plan/read-text.ts";
import { writeAtomic } from "../store/index.ts";
import { UsageError } from "./usage-error.ts";

/** Of the text of a plan, and of what it says, another text. */
export type PlanEdit = (text: string, plan: Plan) => string;

/**
 * What is put into a plan is read first as any command would read it: a plan that was good never ends as one that is refused.
 * It is put into what stands there now, which need not be what the command began with: a person was asked meanwhile, or services.
 */
export async function rewritePlan(
  { path, check }: Pick<LoadedPlan, "path" | "check">,
  edit: PlanEdit,
): Promise<void> {
  const now = readText(path);
  if ("why" in now) throw new UsageError(`${path} ${now.why}`);
  const text = edit(now.text, check(now.text).plan);
  try {
    check(text);
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    throw new UsageError(
      `${path} would not be a plan any more with what was to be written, and was left as it is: ${error.problems[0]?.summary ?? ""}`,
      "Write it there by hand.",
    );
  }
  await writeAtomic(path, text);
}
