import type { Command } from "@commander-js/extra-typings";
import { counted, planCommand } from "./flags.ts";
import type { Io } from "./io.ts";

/** The commands of a reviewer and of the second day: what was done, what is known, what is decided. */
export function addPeopleCommands(
  program: Command,
  io: Io,
  run: (work: Promise<number>) => Promise<void>,
): void {
  program.addCommand(
    planCommand("runs", "what was done, when, by whom; the kept reports")
      .argument("[action]", "list | show | open", "list")
      .argument("[run]", "its name, or how it begins or ends; the last one when left out")
      .addHelpText("after", runsExamples)
      .action(async (plan, action, named, flags) =>
        run((await import("./commands/runs.ts")).runRuns(io, plan, action, named, counted(flags))),
      ),
  );
}

const runsExamples = `
Examples:
  ferry runs prod                            every run that is kept
  ferry runs prod show                       the report of the last one
  ferry runs prod show 3f2a9c                of another one, by how its name begins or ends
  ferry runs prod open                       its HTML report, in the browser`;
