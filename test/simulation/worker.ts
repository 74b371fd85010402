import type { Case } from "./case.ts";
import type { Tally } from "./ended.ts";
import type { Invariant } from "./breach.ts";
import { play } from "./round.ts";
import { shrink } from "./shrink.ts";
import { storyOf } from "./telling.ts";

/** What a worker is asked to do: every `stride`-th seed from the first. */
export interface Task {
  readonly seed: number;
  readonly stride: number;
  readonly histories: number;
  readonly until: number;
  readonly except: readonly Invariant[];
  /** How long a failure may be made smaller, in milliseconds. */
  readonly patience: number;
  /** Of those that look alike only so many are made smaller; the rest are counted. */
  readonly most: number;
}

export interface News {
  readonly tally: Tally;
  readonly found?: Case;
  /** One of many: counted only. */
  readonly again?: { readonly invariant: Invariant; readonly seed: number; readonly what: string };
  /** Milliseconds of the processor since the one before. */
  readonly processorMs: number;
}

async function work(task: Task): Promise<void> {
  const staging = { except: new Set(task.except) };
  const shrunk = new Map<string, number>();
  let before = process.cpuUsage();
  const tell = (news: Omit<News, "processorMs">): void => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    process.send?.({ ...news, processorMs: (user + system) / 1_000 });
  };
  for (let round = 0; round < task.histories && Date.now() < task.until; round += 1) {
    const seed = task.seed + round * task.stride;
    const story = storyOf(seed);
    const { breaches, tally } = await play(story, staging);
    const [first] = breaches;
    if (first === undefined) {
      tell({ tally });
      continue;
    }
    const { invariant, what } = first;
    const alike = likeness(invariant, what);
    const many = shrunk.get(alike) ?? 0;
    shrunk.set(alike, many + 1);
    if (many >= task.most) {
      tell({ tally, again: { invariant, seed, what } });
      continue;
    }
    const breaks = async (smaller: typeof story): Promise<boolean> =>
      (await play(smaller, staging)).breaches.some((breach) => breach.invariant === invariant);
    const smallest = await shrink(story, breaks, Date.now() + task.patience);
    const last = await play(smallest, staging);
    const why = last.breaches.find((breach) => breach.invariant === invariant)?.what ?? what;
    tell({ tally, found: { invariant, what: why, seed, mended: false, told: last.told, story: smallest } });
  }
}

/** The invariant, the kind of thing, and the command that was at work. */
function likeness(invariant: Invariant, what: string): string {
  return `${invariant} ${/^\w+/.exec(what)?.[0] ?? ""} ${/\((\w+)\)$/.exec(what)?.[1] ?? ""}`;
}

// Nobody listens any more.
process.once("disconnect", () => process.exit());

process.once("message", (task: Task) => void begin(task));

async function begin(task: Task): Promise<void> {
  // Nobody reads where an expected error was made, and that is what makes it dear.
  Error.stackTraceLimit = 3;
  try {
    await work(task);
    process.disconnect();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(2);
  }
}
