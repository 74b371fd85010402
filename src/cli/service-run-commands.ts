import type { Command } from "@commander-js/extra-typings";
import { between, counted, percent, planCommand, repeated } from "./flags.ts";
import type { Io } from "./io.ts";

export const cancelFlag = [
  "--cancel",
  "an interrupt (Ctrl-C) cancels the documentation flow that is awaited; without this it goes on, and the next run takes it up",
] as const;

/** Commands about runs of the service itself: evaluations of monitors, documentation flows. */
export function addServiceRunCommands(
  program: Command,
  io: Io,
  run: (work: Promise<number>) => Promise<void>,
): void {
  program.addCommand(
    planCommand("parity", "do the moved monitors say the same as their originals?")
      .option("--run", "start an evaluation of each moved monitor at the target first, and wait for it")
      .option("--tolerance <percent>", "points of per cent that two qualities may lie apart", percent, 0.5)
      .option(
        "--samples <n>",
        "show so many invalid records of each side where they differ; never of a protected column",
        between(0, 100),
        0,
      )
      .addHelpText("after", parityExamples)
      .action(async (plan, flags) =>
        run((await import("./commands/parity.ts")).runParity(io, plan, counted(flags))),
      ),
  );
  program.addCommand(
    planCommand("flow", "list, start, watch or cancel documentation flows at the target")
      .argument("<action>", "list | start | watch | cancel")
      .argument("[name]", "start: the flow, by name or URN; watch, cancel: the URN of a workflow")
      .option("--connection <name>", "start: the connection it runs on, by name or URN")
      .option(
        "--path <path>",
        "start: a path it runs on, in place of the whole connection; may be repeated",
        repeated,
      )
      .option("--no-wait", "start: do not wait for its end")
      .option(
        "--cancel",
        "an interrupt (Ctrl-C) cancels it; without this it goes on, and the next run takes it up",
      )
      .addHelpText("after", flowExamples)
      .action(async (plan, action, name, flags) =>
        run((await import("./commands/flow.ts")).runFlow(io, plan, action, name, counted(flags))),
      ),
  );
}

const flowExamples = `
Examples:
  ferry flow prod list                               flows and connections
  ferry flow prod start Import --connection prod-wh  start it, wait for its end
  ferry flow prod watch                              go on with what was left
  ferry flow prod cancel urn:...                     stop a workflow`;

const parityExamples = `
Examples:
  ferry parity prod                what the last runs of both sides say
  ferry parity prod --run          after new runs of the target's monitors
  ferry parity prod --tolerance 0  not a single record in a thousand
  ferry parity prod --samples 5    with invalid records where the sides differ`;
