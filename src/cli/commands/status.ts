import { planStatus } from "../../operations/status.ts";
import { briefStatus, isForMachines } from "../brief.ts";
import type { CommonFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { runOnPlan } from "../session.ts";

export interface StatusFlags extends CommonFlags {
  readonly all?: true | undefined;
}

export async function runStatus(io: Io, plan: string, flags: StatusFlags): Promise<number> {
  return runOnPlan({ io, command: "status", plan, flags, offline: true }, async ({ migration }) => {
    const result = await planStatus(migration, { kinds: flags.kinds });
    if (isForMachines(flags)) return result;
    return { ...result, details: briefStatus(result.details, flags.all === true) };
  });
}
