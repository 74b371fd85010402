import type { Monitor, RunInputs, Workflow } from "../../state.ts";
import type { Tenant } from "../../tenant.ts";
import { type Evaluation, evaluate } from "./evaluate.ts";
import { inputsOf } from "./inputs.ts";

/** Worked out when somebody asks for it: a run keeps what it started with. */
const evaluations = new WeakMap<RunInputs, Evaluation>();

/** A run of a monitor starts: what is configured and stored by now is what it will have worked on. */
export function rememberInputs(tenant: Tenant, run: Workflow, monitor: Monitor): RunInputs {
  const inputs = inputsOf(tenant, monitor);
  tenant.runInputs.set(run.urn, inputs);
  return inputs;
}

/** Nothing of the monitor evaluates data quality: the run profiles, and its evaluation is SKIPPED. */
export function evaluatesNothing({ instances, failure }: RunInputs): boolean {
  return instances.length === 0 && failure === undefined;
}

/** The state of the evaluation of a run (document 2, "Workflow, job and evaluation states"). */
export function evaluationState(tenant: Tenant, run: Workflow): string {
  const inputs = tenant.runInputs.get(run.urn);
  if (inputs === undefined || evaluatesNothing(inputs)) return "SKIPPED";
  const states: Readonly<Partial<Record<Workflow["status"], string>>> = {
    PENDING: "ENQUEUED",
    CANCELED: "SKIPPED",
  };
  return states[run.status] ?? run.status;
}

/** Undefined while there is none, and when the run did none. */
export function evaluationOf(tenant: Tenant, run: Workflow): Evaluation | undefined {
  const inputs = tenant.runInputs.get(run.urn);
  if (inputs === undefined || evaluationState(tenant, run) !== "FINISHED") return undefined;
  const known = evaluations.get(inputs);
  if (known !== undefined) return known;
  const made = evaluate(inputs);
  evaluations.set(inputs, made);
  return made;
}
