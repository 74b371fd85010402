import { parityPlan } from "../../operations/parity.ts";
import type { CommonFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { runOnPlan } from "../session.ts";

export interface ParityFlags extends CommonFlags {
  readonly tolerance: number;
  readonly samples: number;
  readonly run?: true | undefined;
  /** For the demo; people have no such flag. */
  readonly quiet?: true | undefined;
}

export async function runParity(io: Io, plan: string, flags: ParityFlags): Promise<number> {
  const { tolerance, samples, run, quiet } = flags;
  return runOnPlan({ io, command: "parity", plan, flags, report: true, quiet }, async ({ migration }) =>
    parityPlan(migration, { tolerance, samples, run: run === true }),
  );
}
