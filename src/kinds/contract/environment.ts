import type { Plan } from "../../model/plan.ts";
import type { ReadClient } from "../../service/index.ts";

/** One environment, as a kind meets it when it is opened. */
export interface Environment {
  readonly side: "source" | "target";
  readonly client: ReadClient;
  readonly plan: Plan;
}
