import { doctorPlan } from "../../operations/doctor.ts";
import type { CommonFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { runOnPlan } from "../session.ts";

export async function runDoctor(io: Io, plan: string, flags: CommonFlags): Promise<number> {
  return runOnPlan({ io, command: "doctor", plan, flags }, async ({ migration, notes }) => {
    const result = await doctorPlan(migration);
    return { ...result, diagnostics: [...notes, ...result.diagnostics] };
  });
}
