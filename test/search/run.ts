import { fork } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import type { Case } from "./case.ts";
import { keep, kept, read } from "./case.ts";
import type { Invariant } from "./judge.ts";
import { noTally, type Tally } from "./ended.ts";
import { play } from "./round.ts";
import type { News, Task } from "./worker.ts";

/**
 * `npm run test:search`: random estates, faults, kills and a colleague at work, for as long as it is given. Exit code 1
 * when a promise was broken: the story is made small, told in words, and kept.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    rounds: { type: "string" },
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
  const minutes = Number(values.minutes ?? (values.rounds === undefined ? 1 : 24 * 60));
  const rounds = Number(values.rounds ?? Number.MAX_SAFE_INTEGER);
  const seed = Number(values.seed ?? randomInt(1_000_000_000));
  const total = noTally();
  const failures = new Map<Invariant, number>();
  const began = Date.now();
  let toldAt = began;
  const hear = ({ tally, found, again }: News): void => {
    for (const name of Object.keys(total) as (keyof Tally)[]) total[name] += tally[name];
    const invariant = found?.invariant ?? again?.invariant;
    if (invariant !== undefined) failures.set(invariant, (failures.get(invariant) ?? 0) + 1);
    if (found !== undefined) say(`${describe(found)}\n  kept as test/search/kept/${keep(found)}`);
    if (again !== undefined) say(`${again.invariant} again (seed ${again.seed}): ${again.what}`);
    if (Date.now() - toldAt < 20_000) return;
    toldAt = Date.now();
    process.stderr.write(`${total.rounds} rounds, ${sum(failures)} failures\n`);
  };
  const codes = await Promise.all(
    Array.from({ length: workers }, async (_, index) => {
      const task: Task = {
        seed: seed + index,
        stride: workers,
        rounds: Math.ceil(rounds / workers),
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
    `\n${total.rounds} rounds in ${Math.round((Date.now() - began) / 1_000)} s: ${total.commands} commands, ` +
      `${total.acts} acts of a colleague (${total.windows} changes fell between a look and the write), ${total.faults} faults, ` +
      `${total.kills} kills, ${total.stops} interruptions, ${total.doubts} operations in doubt`,
  );
  for (const [invariant, count] of failures) say(`${invariant}: ${count} rounds`);
  if (failures.size === 0) say("no promise was broken");
  return failures.size === 0 && codes.every((code) => code === 0) ? 0 : 1;
}

/** A process of its own; what it writes to disk it writes to memory, where there is such a place. */
async function started(task: Task, hear: (news: News) => void): Promise<number> {
  const memory = existsSync("/dev/shm") ? { TMPDIR: "/dev/shm" } : {};
  const child = fork(new URL("worker.ts", import.meta.url), { env: { ...process.env, ...memory } });
  child.on("message", (news) => hear(news as News));
  child.send(task);
  return new Promise((resolve) => {
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

function sum(counts: ReadonlyMap<unknown, number>): number {
  return [...counts.values()].reduce((before, count) => before + count, 0);
}

if (values.replay !== undefined) process.exitCode = await replay(values.replay);
else if (values.kept) process.exitCode = await replayKept();
else process.exitCode = await search();
