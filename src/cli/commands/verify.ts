import { resolve } from "node:path";
import { verifyPlan } from "../../operations/verify.ts";
import type { Action } from "../../model/change.ts";
import type { CommonFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { runOnPlan } from "../session.ts";

export async function runVerify(
  io: Io,
  plan: string,
  flags: CommonFlags & {
    readonly snapshot?: string | undefined;
    readonly failOn?: Action[] | undefined;
  },
): Promise<number> {
  return runOnPlan({ io, command: "verify", plan, flags, report: true }, async ({ migration }) =>
    verifyPlan(migration, {
      ...(flags.failOn === undefined ? {} : { failOn: new Set(flags.failOn) }),
      ...(flags.snapshot === undefined ? {} : { snapshot: resolve(io.cwd, flags.snapshot) }),
    }),
  );
}
