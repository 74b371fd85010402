import { fork } from "node:child_process";
import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Case } from "./case.ts";
import { keep, kept, read } from "./case.ts";
import type { Invariant } from "./breach.ts";
import { noTally, type Tally } from "./ended.ts";
import { hunt } from "./mutants/hunt.ts";
import { play } from "./round.ts";
import { storyOf } from "./telling.ts";
import type { News, Task } from "./worker.ts";

/**
 * `npm run test:simulate`: histories that follow from their seeds, for as long as it is given. Exit code 1
 * when a promise was broken: the story is made small, told in words, and kept.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    histories: { type: "string" },
    /** Tries each deliberate fault until it is found, and says how long that took. */
    mutants: { type: "boolean", default: false },
    /** Plays the history of one seed, and tells it. */
    tell: { type: "string" },
    /** The first worker's; the others count on from it. */
    seed: { type: "string" },
    workers: { type: "string", default: String(availableParallelism()) },
    /** Plays one kept story, and tells it. */
    replay: { type: "string" },
    /** Plays all that are kept, and says which pass. */
    kept: { type: "boolean", default: false },
    /** Invariants that are known to be broken, with commas between. */
    except: { type: "string", default: "" },
    /** How many of each invariant each worker makes small and keeps. */
    most: { type: "string", default: "2" },
    patience: { type: "string", default: "40" },
    /** Where what fails is kept. */
    keep: { type: "string", default: fileURLToPath(new URL("kept/", import.meta.url)) },
    /** Tries these deliberate faults alone, with commas between. */
    only: { type: "string", default: "" },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function describe({ invariant, what, seed, told }: Case): string {
  return `\n${invariant} (seed ${seed}): ${what}\n${told.map((line) => `  ${line}`).join("\n")}`;
}

async function replay(path: string): Promise<number> {
  const { told, breaches } = await play(read(path).story);
  for (const line of told) say(line);
  for (const { invariant, what } of breaches) say(`${invariant}: ${what}`);
  return breaches.length === 0 ? 0 : 1;
}

async function replayKept(): Promise<number> {
  let failures = 0;
  for (const { name, found } of kept()) {
    const { breaches } = await play(found.story);
    const isSame = breaches.some(({ invariant }) => invariant === found.invariant);
    if (breaches.length > 0 && found.mended) failures += 1;
    const verdict =
      breaches.length === 0
        ? "passes"
        : isSame
          ? "fails"
          : `fails otherwise: ${breaches[0]?.invariant ?? ""}`;
    say(`${name}: ${verdict}${found.mended ? "" : " (not marked as mended)"}`);
  }
  return failures === 0 ? 0 : 1;
}

async function search(): Promise<number> {
  const workers = Math.max(1, Number(values.workers));
  const minutes = Number(values.minutes ?? (values.histories === undefined ? 1 : 24 * 60));
  const histories = Number(values.histories ?? Number.MAX_SAFE_INTEGER);
  const seed = Number(values.seed ?? randomInt(1_000_000_000));
  const total = noTally();
  const failures = new Map<Invariant, number>();
  const began = Date.now();
  let toldAt = began;
  let processorMs = 0;
  const hear = ({ tally, found, again, processorMs: spent }: News): void => {
    processorMs += spent;
    for (const name of Object.keys(total) as (keyof Tally)[]) total[name] += tally[name];
    const invariant = found?.invariant ?? again?.invariant;
    if (invariant !== undefined) failures.set(invariant, (failures.get(invariant) ?? 0) + 1);
    if (found !== undefined) say(`${describe(found)}\n  kept as ${keep(found, values.keep)}`);
    if (again !== undefined) say(`${again.invariant} again (seed ${again.seed}): ${again.what}`);
    if (Date.now() - toldAt < 20_000) return;
    toldAt = Date.now();
    process.stderr.write(`${total.rounds} histories, ${sum(failures)} failures\n`);
  };
  const codes = await Promise.all(
    Array.from({ length: workers }, async (_, index) => {
      const task: Task = {
        seed: seed + index,
        stride: workers,
        histories: Math.ceil(histories / workers),
        until: began + minutes * 60_000,
        except: values.except.split(",").filter((name) => name !== "") as Invariant[],
        patience: Number(values.patience) * 1_000,
        most: Number(values.most),
      };
      say(
        `worker ${index + 1}: seed ${task.seed}, and every ${workers === 1 ? "one" : `${workers}th`} after it`,
      );
      return started(task, hear);
    }),
  );
  say(
    `\n${total.rounds} histories in ${Math.round((Date.now() - began) / 1_000)} s ` +
      `(${Math.round(processorMs / Math.max(1, total.rounds))} ms of the processor each): ${total.commands} commands, ` +
      `${total.kills} crashes (${total.powers} with the power), ${total.stops} interruptions, ${total.faults} faults of network, service ` +
      `and disk, ${total.jumps} clocks set, ${total.seconds} second processes, ${total.doubts} operations in doubt, ` +
      `${total.acts} acts of a colleague (${total.windows} changes fell between a look and the write)`,
  );
  for (const [invariant, count] of failures) say(`${invariant}: ${count} histories`);
  const isWhole = codes.every((code) => code === 0);
  if (!isWhole) say("a worker ended before its time: what it would have found is not known");
  else if (failures.size === 0) say("no promise was broken");
  return failures.size === 0 && isWhole ? 0 : 1;
}

/**
 * A history leaves next to nothing behind: room for what it throws away from the start on, and no further threads to
 * collect it, which take more of the processor than they save.
 */
const memory = ["--min-semi-space-size=32", "--max-semi-space-size=32", "--no-parallel-scavenge"];

async function started(task: Task, hear: (news: News) => void): Promise<number> {
  const child = fork(new URL("worker.ts", import.meta.url), { execArgv: [...memory] });
  child.on("message", (news) => hear(news as News));
  child.send(task);
  return new Promise((resolve) => {
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

function sum(counts: ReadonlyMap<unknown, number>): number {
  return [...counts.values()].reduce((before, count) => before + count, 0);
}

async function tell(seed: number): Promise<number> {
  const { told, breaches, digest } = await play(storyOf(seed));
  for (const line of told) say(line);
  for (const { invariant, what } of breaches) say(`${invariant}: ${what}`);
  say(`digest of the history: ${digest}`);
  return breaches.length === 0 ? 0 : 1;
}

if (values.replay !== undefined) process.exitCode = await replay(values.replay);
else if (values.tell !== undefined) process.exitCode = await tell(Number(values.tell));
else if (values.mutants)
  process.exitCode = await hunt(
    say,
    values.only.split(",").filter((name) => name !== ""),
    values.seed === undefined ? undefined : Number(values.seed),
  );
else if (values.kept) process.exitCode = await replayKept();
else process.exitCode = await search();
