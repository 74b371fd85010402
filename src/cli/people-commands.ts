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
      .option("--all", "list: all of them, and not the last 20")
      .addHelpText("after", runsExamples)
      .action(async (plan, action, named, flags) =>
        run((await import("./commands/runs.ts")).runRuns(io, plan, action, named, counted(flags))),
      ),
  );
  program.addCommand(
    planCommand("decide", "whose version holds, for one drift or conflict")
      .argument(
        "[object]",
        "its URN, name or a pattern of names, with its kind in front or not; all, one by one, when left out",
      )
      .option("--keep-target", "the target's version holds: nothing is written")
      .option("--take-source", "the source's version holds: it is brought to the target")
      .option("--undo", "take the decision back, while it is not done yet")
      .addHelpText("after", decideExamples)
      .action(async (plan, object, flags) =>
        run((await import("./commands/decide.ts")).runDecide(io, plan, object, counted(flags))),
      ),
  );
  program.addCommand(
    planCommand("ack", "what a person knows and accepts does not make a run red")
      .argument(
        "[object]",
        "its URN, name or a pattern of names, with its kind in front or not; all that waits when left out",
      )
      .option("--reason <text>", "why it may stay as it is")
      .option("--until <date>", "the last day on which that holds, such as 2027-03-31")
      .addHelpText("after", ackExamples)
      .action(async (plan, object, flags) =>
        run((await import("./commands/ack.ts")).runAck(io, plan, object, counted(flags))),
      ),
  );
}

const decideExamples = `
Examples:
  ferry decide prod                              one after the other, with the
                                                 versions field by field
  ferry decide prod "Email*" --keep-target       what stands at the target holds
  ferry decide prod rules:urn:... --take-source  the source's is brought there`;

const ackExamples = `
Examples:
  ferry ack prod                                         what waits for a person
  ferry ack prod "Supplier*" --reason "rebuilt by hand"  writes it into the plan
  ferry ack prod rules:urn:... --reason "known" --until 2027-03-31`;

const runsExamples = `
Examples:
  ferry runs prod              the last 20 runs
  ferry runs prod show         the report of the last one
  ferry runs prod show 3f2a9c  of one whose name begins or ends so
  ferry runs prod open         its HTML report, in the browser`;
