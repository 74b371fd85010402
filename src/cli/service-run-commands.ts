import type { Command } from "@commander-js/extra-typings";
import { between, counted, percent, planCommand } from "./flags.ts";
import type { Io } from "./io.ts";

/** Commands about runs of the service itself: evaluations of monitors, documentation flows. */
export function addServiceRunCommands(
  program: Command,
  io: Io,
  run: (work: Promise<number>) => Promise<void>,
): void {
  program.addCommand(
    planCommand("parity", "do the moved monitors say the same as their originals?")
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
}

const parityExamples = `
Examples:
  ferry parity prod                         what the last runs of both sides say
  ferry parity prod --tolerance 0           not a single record in a thousand
  ferry parity prod --samples 5             with invalid records of both sides where they differ`;
