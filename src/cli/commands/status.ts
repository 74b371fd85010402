import { statusJob } from "../../job/status.ts";
import type { CommonFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { runOnPlan } from "../session.ts";

export async function runStatus(io: Io, plan: string, flags: CommonFlags): Promise<number> {
  return runOnPlan({ io, command: "status", plan, flags }, async ({ job }) => statusJob(job));
}
