import { PlanError } from "../plan/plan-error.ts";
import type { LoadedPlan } from "../plan/load.ts";
import { writeAtomic } from "../store/index.ts";
import { UsageError } from "./usage-error.ts";

/** What is put into a plan is read first as any command would read it: a plan that was good never ends as one that is refused. */
export async function rewritePlan(
  { path, check }: Pick<LoadedPlan, "path" | "check">,
  text: string,
): Promise<void> {
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
