import { Command, CommanderError } from "@commander-js/extra-typings";
import type { EngineHooks } from "../engine/apply/recorder.ts";
import { display } from "../model/display.ts";
import type { StoreHooks } from "../store/index.ts";
import {
  between,
  counted,
  failOn,
  failOnFlag,
  helpHint,
  percent,
  planCommand,
  repeated,
  whole,
} from "./flags.ts";
import { spoken } from "./spoken.ts";
import type { Io } from "./io.ts";
import { addPeopleCommands } from "./people-commands.ts";
import { addServiceRunCommands, cancelFlag } from "./service-run-commands.ts";
import { addShellCommands } from "./shell-commands.ts";

/** What the crash suite puts into a run; people have no way to. */
export interface ProgramOptions {
  readonly io: Io;
  readonly version: () => string;
  readonly hooks?: (EngineHooks & StoreHooks) | undefined;
}

/**
 * The command line. Every command is loaded when it is called, so that `--version` and `--help`
 * answer at once. Gives the exit code.
 */
export async function runProgram(argv: readonly string[], options: ProgramOptions): Promise<number> {
  const io: Io = { ...spoken(options.io), words: argv };
  let code = 0;
  const program = commandLine({ ...options, io }, async (work) => {
    code = await work;
  });
  configure(program, io);
  try {
    await program.parseAsync(asMeant(argv, program), { from: "user" });
    return code;
  } catch (error) {
    return usage(error, argv, { ...options, io });
  }
}

/** Help on a command that is none would be the help on all of them, without a word of what is wrong. */
function asMeant(argv: readonly string[], { commands }: Pick<Command, "commands">): readonly string[] {
  const [first, asked] = argv;
  if (first !== "help" || asked === undefined || commands.some((one) => one.name() === asked)) return argv;
  return [asked === "help" ? "--help" : asked];
}

/** All commands with their flags, which completions and the manual page are made of as well. */
export function commandLine(options: ProgramOptions, run: (work: Promise<number>) => Promise<void>): Command {
  const { io, hooks } = options;
  const program = new Command("ferry")
    .description(
      "Moves data-quality and catalog configuration between environments of a data-governance service.",
    )
    .version(options.version(), "-V, --version")
    .showHelpAfterError(helpHint)
    .configureHelp({ subcommandTerm: termOf, minWidthToWrap: 20 })
    .addHelpText("after", examples);

  program
    .command("demo")
    .summary("the whole job offline, against two emulated environments")
    .description("Plays the whole job offline: two emulated environments, real HTTP, nothing to configure.")
    .option("--dir <folder>", "a new folder for its files; a temporary one when left out")
    .option("-v, --verbose", "tell more", (_value, before: number) => before + 1, 0)
    .option("--no-color", "no colours")
    .action(async (flags) => run((await import("./commands/demo.ts")).runDemo(io, counted(flags))));

  program
    .command("init")
    .summary("write a commented plan")
    .description("Writes a commented plan to fill in; never over a file that is there.")
    .argument("[file]", "the plan to write", "plans/plan.yaml")
    .option(
      "--source-name <name>",
      "what the source is called; at a terminal, what no flag says is asked for",
    )
    .option("--source-url <address>", "its address")
    .option("--source-realm <realm>", "its realm, the tenant's name")
    .option("--target-name <name>", "what the target is called")
    .option("--target-url <address>", "its address")
    .option("--target-realm <realm>", "its realm")
    .option("--schema", "print the JSON Schema of plans, for editors, and write nothing")
    .option("--no-input", "never ask")
    .action(async (file, flags) => run((await import("./commands/init.ts")).runInit(io, file, flags)));

  program.addCommand(
    planCommand(
      "doctor",
      "check configuration, sign-in, reach, permissions and shapes on both sides; writes to neither",
    )
      .option("--write", "put the pairs that are guessed by name into the plan; its comments stay")
      .action(async (plan, flags) =>
        run((await import("./commands/doctor.ts")).runDoctor(io, plan, counted(flags))),
      ),
  );
  program.addCommand(
    planCommand("export", "snapshot the source").action(async (plan, flags) =>
      run((await import("./commands/export.ts")).runExport(io, plan, counted(flags))),
    ),
  );
  program.addCommand(
    planCommand("diff", "dry run: what apply would do, and why")
      .option("--snapshot <folder>", "compare this snapshot in place of a new one")
      .option("--out <file>", "write the diff to a file, to be approved and applied with apply --diff")
      .option("--detailed-exitcode", "exit with 2 when there are changes")
      .option(
        "--drafts",
        "also look for unpublished changes at the source (a request for each monitor and rule)",
      )
      .option("--identify", "also ask which master each new instance of master data would join, and why")
      .option(
        "--identify-limit <n>",
        "most instances of an entity to ask about, a request each (1000)",
        whole,
      )
      .option(...failOnFlag("none"), failOn)
      .addHelpText("after", diffExamples)
      .action(async (plan, flags) =>
        run((await import("./commands/diff.ts")).runDiff(io, plan, counted(flags))),
      ),
  );
  program.addCommand(
    planCommand("apply", "do it; continues an interrupted run by itself")
      .option("--diff <file>", "do exactly what this approved diff says, or refuse")
      .option("--snapshot <folder>", "apply this snapshot in place of a new one")
      .option("-y, --yes", "do not ask (needed without a terminal; never allows deletes)")
      .option(
        "--allow-delete",
        "delete at the target what is gone at the source and was created or adopted by ferry",
      )
      .option("--max-deletes <n>", "refuse everything when there are more deletes", whole)
      .option(...failOnFlag("all of them"), failOn)
      .option(...cancelFlag)
      .addHelpText("after", applyExamples)
      .action(async (plan, flags) =>
        run(
          (await import("./commands/apply.ts")).runApply(io, plan, counted(flags), {
            command: "apply",
            hooks,
          }),
        ),
      ),
  );
  program.addCommand(
    planCommand("sync", "export + diff + apply + verify, for CI")
      .option("--dry-run", "only look: the same as diff")
      .option("--detailed-exitcode", "with --dry-run: exit with 2 when there are changes")
      .option("-y, --yes", "do not ask (needed without a terminal; never allows deletes)")
      .option(
        "--allow-delete",
        "delete at the target what is gone at the source and was created or adopted by ferry",
      )
      .option("--max-deletes <n>", "refuse everything when there are more deletes", whole)
      .option(...failOnFlag("all of them"), failOn)
      .option(...cancelFlag)
      .option("--parity", "at the end: do the moved monitors say the same as their originals?")
      .option("--run", "with --parity: after an evaluation of each moved monitor at the target")
      .action(async (plan, flags) => {
        if (flags.dryRun === true)
          return run((await import("./commands/diff.ts")).runDryRun(io, plan, counted(flags)));
        return run(
          (await import("./commands/apply.ts")).runApply(io, plan, counted(flags), {
            command: "sync",
            hooks,
          }),
        );
      }),
  );
  program.addCommand(
    planCommand("verify", "read back and prove: the diff is empty, no source URN survives at the target")
      .option("--snapshot <folder>", "compare this snapshot in place of a new one")
      .option(...failOnFlag("all of them"), failOn)
      .action(async (plan, flags) =>
        run((await import("./commands/verify.ts")).runVerify(io, plan, counted(flags))),
      ),
  );
  addServiceRunCommands(program, io, run);
  program.addCommand(
    planCommand("status", "what is done, in flight, in doubt, left")
      .option("--all", "every row, not only the first of each group")
      .action(async (plan, flags) =>
        run((await import("./commands/status.ts")).runStatus(io, plan, counted(flags))),
      ),
  );
  program.addCommand(
    planCommand("resolve", "list and settle what is in doubt")
      .option(
        "--take <source=target>",
        "it happened: this target object is the twin; may be repeated",
        repeated,
      )
      .option(
        "--retry <source>",
        "it did not happen: send it again with the next apply, after the quiet period; also for what was abandoned; may be repeated",
        repeated,
      )
      .option(
        "--abandon <source>",
        "leave it as it is, and out of every run until --retry; may be repeated",
        repeated,
      )
      .addHelpText("after", resolveExamples)
      .action(async (plan, flags) =>
        run((await import("./commands/resolve.ts")).runResolve(io, plan, counted(flags))),
      ),
  );
  program.addCommand(
    planCommand(
      "rollback",
      "take back what a run changed or deleted, and with --allow-delete what it created",
    )
      .option("--run <id>", "the run to take back; the last one when left out")
      .option("--dry-run", "only look: what would be deleted, changed or left, and why")
      .option("-y, --yes", "do not ask (needed without a terminal; never allows deletes)")
      .option("--allow-delete", "delete at the target what the run created")
      .addHelpText("after", rollbackExamples)
      .action(async (plan, flags) =>
        run((await import("./commands/rollback.ts")).runRollback(io, plan, counted(flags), hooks)),
      ),
  );
  program.addCommand(
    planCommand(
      "mappings",
      "list, show, set, remove, suggest, import, export or merge the pairs of source and target objects",
    )
      .argument("<action>", "list | show | set | remove | suggest | import | export | merge")
      .argument(
        "[args...]",
        "list [TEXT], show URN, set SOURCE TARGET, remove SOURCE..., import FILE, export FILE, merge OURS THEIRS",
      )
      .option("--kind <kind>", "list, set, export: of this kind only")
      .option("--all", "list: every pair, not only the first of each kind")
      .option("--force", "set: also when an object is not there or cannot be read")
      .option("--base <file>", "merge: what both files began with")
      .option("--out <file>", "suggest, merge: write the suggestions, or the merged mapping, to a file")
      .option("--snapshot <folder>", "suggest: use this snapshot in place of a new one")
      .option("--min-similarity <percent>", "suggest: at least this much must be equal", percent)
      .addHelpText("after", mappingsExamples)
      .action(async (plan, action, args, flags) =>
        run((await import("./commands/mappings.ts")).runMappings(io, plan, action, args, counted(flags))),
      ),
  );
  addPeopleCommands(program, io, run);
  program
    .command("emulate")
    .summary("serve the emulated service")
    .description("Serves the emulated service on 127.0.0.1 until it is interrupted.")
    .option("--port <n>", "0 for any free one", between(0, 65_535), 8080)
    .option("--scenario <scenario>", "demo, empty, large:N or records:N", "demo")
    .option("--tenant <name>", "one more tenant, an empty one; may be repeated", repeated)
    .option("--faults <file>", "a JSON list of faults to put on requests")
    .option("--write-plan <file>", "write a plan that fits, and its variables into the .env of its folder")
    .addHelpText("after", emulateExamples)
    .action(async (flags) => run((await import("./commands/emulate.ts")).runEmulate(io, flags)));
  addShellCommands(program, io, run);
  return program;
}

/** That there are options goes without saying, and what a command does is to stay on one page with its name. */
function termOf(command: { name(): string; usage(): string }): string {
  return `${command.name()} ${command.usage().replace("[options]", "").trim()}`.trim();
}

/** Commander's own texts go through our outputs, and it never ends the process. */
function configure(command: { commands: readonly unknown[] }, io: Io): void {
  const settings = {
    writeOut: (text: string) => io.stdout.write(text),
    writeErr: (text: string) => io.stderr.write(text),
    outputError: (text: string, write: (text: string) => void) => write(complaint(text)),
    getOutHelpWidth: () => Math.min(io.stdout.columns, 110),
    getErrHelpWidth: () => Math.min(io.stderr.columns, 110),
  };
  const all = [command, ...command.commands] as Command[];
  for (const one of all) one.configureOutput(settings).exitOverride();
}

/** What a person typed may come from anywhere, and Commander quotes it as it is. A line of its own has what was probably meant. */
function complaint(text: string): string {
  const [said, ...hint] = text.trimEnd().split(/\n(?=\(Did you mean [^\n]*\)$)/);
  return `${[said ?? "", ...hint].map(display).join("\n")}\n`;
}

async function usage(
  error: unknown,
  argv: readonly string[],
  { io, version }: ProgramOptions,
): Promise<number> {
  const { exitCodes } = await import("../model/result.ts");
  if (error instanceof CommanderError) {
    const asked = ["commander.helpDisplayed", "commander.version", "commander.help"].includes(error.code);
    if (asked && error.exitCode === 0) return exitCodes.done;
    if (!argv.includes("--json")) return exitCodes.usage;
  }
  const { failureResult } = await import("./failure.ts");
  const { UsageError } = await import("./usage-error.ts");
  const { present } = await import("./present.ts");
  let shown = error;
  if (error instanceof CommanderError) {
    const [message = "", hint] = error.message.replace(/^error: /, "").split("\n");
    shown = new UsageError(message, hint?.replace(/^\((.*)\)$/, "$1"));
  }
  const [command = "", plan = ""] = argv.map((word) => (word.startsWith("-") ? "" : word));
  const result = failureResult(shown, command, plan, version());
  const flags = { json: argv.includes("--json") ? (true as const) : undefined, verbose: 0, color: true };
  return present({ io, flags, result, secrets: [] });
}

const examples = `
Examples:
  ferry demo                                 see it work, offline
  ferry init plans/prod.yaml                 write a plan
  ferry doctor prod                          check it
  ferry diff prod --format html > diff.html  what would happen
  ferry apply prod                           do it, after asking
  ferry sync prod --yes --json               in CI

Exit codes (ferry explain CODE says more, also of the codes that -v shows):
  0 done, or nothing to do              5 interrupted; run again to continue
  1 failed                              6 in doubt, decide (resolve)
  2 changes (diff --detailed-exitcode)  7 an expectation failed
  3 sign-in or permission               8 another run holds the lock
  4 done in part                        64 usage or plan error`;

const diffExamples = `
Examples:
  ferry diff prod                                   text, counts first
  ferry diff prod --out approved.json               for a review, then for
                                                    apply --diff approved.json
  ferry diff prod --kinds rules --include "Email*"  only these, and what they
                                                    refer to
  ferry diff prod --format markdown                 for a pull-request comment`;

const rollbackExamples = `
Examples:
  ferry rollback prod --dry-run        what would be taken back, what is left
  ferry rollback prod --allow-delete   shows it, asks, does it
  ferry rollback prod                  changes only: what the run created stays`;

const resolveExamples = `
Examples:
  ferry resolve prod                       what is in doubt, and what may be it
  ferry resolve prod --take SOURCE=TARGET  it happened: this is the object
  ferry resolve prod --retry SOURCE        it did not: send it again`;

const mappingsExamples = `
Examples:
  ferry mappings prod list email --kind rules   pairs with this in name or URNs
  ferry mappings prod set SOURCE TARGET         this is the twin
  ferry mappings prod suggest --out pairs.json  what looks alike on both sides
  ferry mappings prod import pairs.json         the pairs left in the file`;

const emulateExamples = `
Examples:
  ferry emulate --write-plan plans/emulated.yaml
    then, in another terminal:
    ferry diff emulated --env-file plans/emulated/.env
  ferry emulate --scenario large:10000
  ferry emulate --faults faults.json
    with this in it, for a target that loses every third answer to a write:
    [{ "match": { "tenant": "prod", "method": "POST", "path": "/api" },
       "when": { "chance": 0.33 }, "effect": { "type": "drop-after-commit" } }]`;

const applyExamples = `
Examples:
  ferry apply prod                          shows the diff and asks
  ferry apply prod --diff approved.json     exactly what was approved
  ferry apply prod --yes                    without a terminal
  ferry apply prod --allow-delete --max-deletes 5`;
