import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import type { News, Task } from "../worker.ts";
import { play } from "../round.ts";
import { storyOf } from "../telling.ts";
import { mutants } from "./index.ts";
import { promises } from "./promises.ts";
import type { Mutant } from "./mutant.ts";

/** Each must be found within so many milliseconds, of a machine that has nothing else to do. */
const patience = 120_000;
/** On one that has: as long as the processor was at work for so much less. */
const longest = 5;

interface Hunted {
  readonly seconds: number;
  readonly histories: number;
  readonly processorMs: number;
  readonly seed: number | undefined;
  readonly invariant: string | undefined;
}

const firstSeed = 1_000_000;

/** Tries one deliberate fault after the other, and prints which was found, when and by which seed. */
export async function hunt(
  say: (line: string) => void,
  names: readonly string[] = [],
  from: number = firstSeed,
): Promise<number> {
  let missed = 0;
  say("| fault | found by | seed | histories | seconds | seconds of the processor |");
  say("|---|---|---|---|---|---|");
  for (const mutant of mutants) {
    if (names.length > 0 && !names.includes(mutant.name)) continue;
    const { seconds, histories, processorMs, seed, invariant } = await huntOne(mutant, from);
    if (seed === undefined) missed += 1;
    const found = invariant ?? "**not found**";
    say(
      `| ${mutant.name}: ${mutant.what} | ${found} | ${seed ?? ""} | ${histories} | ${seconds.toFixed(0)} | ${(processorMs / 1_000).toFixed(0)} |`,
    );
  }
  say(missed === 0 ? "all were found" : `${missed} were not found`);
  say("\n| promise | faults that break it |\n|---|---|");
  for (const { line, mutants: broken } of promises)
    say(`| ${line} | ${broken.length === 0 ? "cannot be simulated" : broken.join(", ")} |`);
  return missed === 0 ? 0 : 1;
}

async function huntOne({ name }: Mutant, from: number): Promise<Hunted> {
  const began = Date.now();
  const workers = Math.min(2, availableParallelism());
  let found: { readonly seed: number; readonly invariant: string } | undefined;
  let histories = 0;
  let processorMs = 0;
  let wait = Promise.resolve();
  const children: ChildProcess[] = [];
  /** What is found without the fault as well is no find. */
  const check = async (again: { readonly seed: number; readonly invariant: string }): Promise<void> => {
    if (found !== undefined || (await play(storyOf(again.seed))).breaches.length > 0) return;
    found = again;
    for (const child of children) child.kill();
  };
  await Promise.all(
    Array.from({ length: workers }, async (_, index) => {
      const task: Task = {
        seed: from + index,
        stride: workers,
        histories: Number.MAX_SAFE_INTEGER,
        until: began + longest * patience,
        except: [],
        patience: 0,
        // None is made smaller: it is told of, and the next one is tried.
        most: 0,
      };
      const child = fork(new URL("../worker.ts", import.meta.url), {
        execArgv: ["--import", new URL("switch.ts", import.meta.url).href],
        env: { ...process.env, FERRY_MUTANT: name },
      });
      child.on("message", (news) => {
        const { tally, again, processorMs: spent } = news as News;
        histories += tally.rounds;
        processorMs += spent;
        if (again !== undefined) wait = wait.then(() => check(again));
        if (processorMs > workers * patience) child.kill();
      });
      children.push(child);
      child.send(task);
      await new Promise<void>((resolve, reject) => {
        child.on("exit", (code) => {
          if (code === 2) reject(new Error(`the mutant ${name} could not be tried`));
          else resolve();
        });
      });
    }),
  );
  await wait;
  const { seed, invariant } = found ?? { seed: undefined, invariant: undefined };
  return { seconds: (Date.now() - began) / 1_000, histories, processorMs, seed, invariant };
}
