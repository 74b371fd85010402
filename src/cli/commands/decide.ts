import { contested, contestedNamed, decide } from "../../operations/decide.ts";
import type { Contested } from "../../operations/decide.ts";
import type { Migration } from "../../operations/migration.ts";
import { resultOf } from "../../operations/result.ts";
import { keyText } from "../../model/key.ts";
import type { Result } from "../../model/result.ts";
import { exitCodes } from "../../model/result.ts";
import { shellWord } from "../../model/shell-word.ts";
import { plural } from "../../model/plural.ts";
import { didYouMean } from "../../plan/nearest.ts";
import { renderFields } from "../../report/index.ts";
import type { Choice } from "../../store/index.ts";
import type { CommonFlags } from "../flags.ts";
import { inTurn } from "../in-turn.ts";
import type { Io } from "../io.ts";
import { wantsColor } from "../present.ts";
import { runOnPlan } from "../session.ts";
import { refuseSeveral } from "../one-thing.ts";
import { UsageError } from "../usage-error.ts";

export interface DecideFlags extends CommonFlags {
  readonly keepTarget?: true | undefined;
  readonly takeSource?: true | undefined;
  readonly undo?: true | undefined;
}

/** Whose version holds, object by object; kept beside the mapping for others to review, and done by the next apply. */
export async function runDecide(
  io: Io,
  plan: string,
  object: string | undefined,
  flags: DecideFlags,
): Promise<number> {
  return runOnPlan({ io, command: "decide", plan, flags, offline: true }, async ({ migration, clear }) => {
    const given = [flags.keepTarget, flags.takeSource, flags.undo].filter((flag) => flag === true).length;
    if (given > 1) throw new UsageError("decide: --keep-target, --take-source and --undo exclude each other");
    const all = await contested(migration);
    const found = object === undefined ? all : contestedNamed(all, object);
    if (object !== undefined && found.length === 0)
      throw new UsageError(
        `decide: no drift or conflict in the last diff of ${migration.plan.name}, and no decision, fits ${object}`,
        didYouMean(
          object,
          all.map(({ name }) => name),
        ) ?? `See them: ferry decide ${migration.plan.name}`,
      );
    if (given === 0 && io.interactive && flags.input && flags.json !== true && found.length > 0) {
      clear();
      return done(migration, await oneByOne(io, migration, found, flags));
    }
    if (given === 0) return list(migration, found);
    refuseSeveral(found, object, {
      command: "decide",
      as: "is contested as",
      flag: flags.undo === true ? "--undo" : flags.keepTarget === true ? "--keep-target" : "--take-source",
      plan: migration.plan,
    });
    if (object === undefined)
      throw new UsageError(
        "decide: it needs the object",
        `Name it, or a pattern of names: ferry decide ${migration.plan.name} "*" --keep-target`,
      );
    const choice =
      flags.undo === true ? undefined : flags.keepTarget === true ? "keep-target" : "take-source";
    // What nobody has decided cannot be taken back.
    const meant = choice === undefined ? found.filter(({ isDecided }) => isDecided) : found;
    return done(
      migration,
      meant.map((of) => ({ of, choice })),
      flags.undo === true,
    );
  });
}

interface Made {
  readonly of: Contested;
  readonly choice: Choice | undefined;
}

async function done(migration: Migration, made: readonly Made[], isUndo = false): Promise<Result> {
  const { name } = migration.plan;
  if (made.length > 0) await decide(migration, made);
  return resultOf(migration, {
    command: "decide",
    exitCode: exitCodes.done,
    headline:
      made.length === 0
        ? isUndo
          ? "Nothing was decided about it: there is nothing to take back."
          : "Nothing was decided."
        : made.every(({ choice }) => choice === undefined)
          ? `${plural(made.length, "decision")} taken back.`
          : `${plural(made.length, "decision")} kept beside the mapping; the next apply does as decided, as long as both versions are what they are now.`,
    next: made.length === 0 ? [] : [`ferry diff ${name}`],
    details: {
      decided: made.map(
        ({ of, choice }) => `${of.kind} "${of.name}" (${of.urn}): ${choice ?? "not decided any more"}`,
      ),
    },
  });
}

function list(migration: Migration, found: readonly Contested[]): Result {
  const { name } = migration.plan;
  const open = found.filter(({ action }) => action !== "decided");
  const waiting = found.length - open.length;
  const first = open[0] ?? found[0];
  const named =
    first === undefined ? "" : `ferry decide ${name} ${shellWord(keyText(first.kind, first.urn))}`;
  return resultOf(migration, {
    command: "decide",
    exitCode: exitCodes.done,
    headline: `${plural(open.length, "object")} of the last diff ${open.length === 1 ? "has" : "have"} two versions.${waiting === 0 ? "" : ` ${plural(waiting, "decision")} ${waiting === 1 ? "waits" : "wait"} for the next apply.`}`,
    next:
      first === undefined
        ? []
        : open.length === 0
          ? [`${named} --undo`]
          : [`${named} --keep-target`, `${named} --take-source`],
    details: {
      contested: found.map(
        ({ kind, name: called, urn, action, reason, fields, choice }) =>
          `${kind} "${called}" (${urn}): ${action === "decided" ? `${choice ?? ""}, ${reason}` : `${action}, ${plural(fields.length, "field")}${choice === undefined ? "" : `; decided: ${choice}`}`}`,
      ),
    },
  });
}

/** One after the other, each with its versions field by field. */
async function oneByOne(
  io: Io,
  migration: Migration,
  found: readonly Contested[],
  flags: DecideFlags,
): Promise<readonly Made[]> {
  const { source, target } = migration.plan;
  const page = { color: wantsColor(io, io.stderr, flags), width: io.stderr.columns };
  const made: Made[] = [];
  const ask = inTurn(io, "To stop and keep what was decided, type q.");
  for (const [index, of] of found.entries()) {
    const before = of.choice === undefined ? "" : `; decided before: ${of.choice}`;
    io.stderr.write(
      `\n${index + 1} of ${found.length}: ${renderFields({ ...of, note: `${of.action}: ${of.reason}${before}` }, { source: source.name, target: target.name }, page)}`,
    );
    const answer = await answered(
      io,
      ask,
      `Keep ${target.name}'s (k), take ${source.name}'s (t),\nleave it open (Enter), or stop (q)? `,
    );
    if (answer === "q") break;
    if (answer !== "") made.push({ of, choice: answer === "k" ? "keep-target" : "take-source" });
  }
  return made;
}

/** Asked again until it is one of these: a slip of the finger decides nothing. */
async function answered(io: Io, ask: Io["ask"], question: string): Promise<"k" | "t" | "q" | ""> {
  for (;;) {
    const answer = (await ask(question)).trim().toLowerCase();
    if (answer === "k" || answer === "t" || answer === "q" || answer === "") return answer;
    io.stderr.write("  k, t, q, or nothing but the Enter key.\n");
  }
}
