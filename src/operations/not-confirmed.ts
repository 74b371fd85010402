import { EngineError } from "../engine/progress.ts";
import type { Migration } from "./migration.ts";

/** A person was asked, and answered otherwise; `soFar` is what was done until then. */
export function notConfirmed({ plan }: Pick<Migration, "plan">, soFar: string): EngineError {
  return new EngineError(
    "not-confirmed",
    `not confirmed; ${soFar}`,
    `If it is to be done after all, run the same command again and type ${plan.target.confirm ?? "yes"}.`,
  );
}
