import type { EnginePoint } from "../../src/engine/apply/recorder.ts";
import type { Phase } from "../../src/emulator/index.ts";
import type { StorePoint } from "../../src/store/index.ts";
import { isWhole } from "../support/whole.ts";
import type { Estate } from "./estates/estate.ts";
import { isEnd } from "./estates/estate.ts";
import { CrashWorld } from "./world.ts";

/** One instant of a run: the `ordinal`-th time (from 1) that the class is reached. */
export interface Point {
  readonly class: string;
  readonly ordinal: number;
}

/** The process ends itself at these. A point that is added to the tool and not here does not compile. */
const inside = Object.keys({
  "lock:after-acquire": true,
  "snapshot:before-swap": true,
  "snapshot:mid-swap": true,
  "snapshot:after-swap": true,
  "entry:before": true,
  "entry:after": true,
  "intent:before": true,
  "intent:after": true,
  "send:after": true,
  "outcome:before": true,
  "outcome:after": true,
  "journal:before-write": true,
  "journal:after-write": true,
  "journal:after-sync": true,
  "mapping:before-rename": true,
  "mapping:after-rename": true,
  "compact:before-rename": true,
  "compact:after-rename": true,
  "rows:before-rename": true,
  "rows:after-rename": true,
  "comparison:before-keep": true,
  "comparison:after-keep": true,
  "comparison:before-rename": true,
  "comparison:after-rename": true,
} satisfies Record<EnginePoint | StorePoint, true>);

/** The process is ended by the emulator, which waits until it is gone and then goes on with the request. */
const outside = Object.keys({
  received: true,
  "before-commit": true,
  "after-commit": true,
  answered: true,
} satisfies Record<Phase, true>);

/** What was being written when the process ended, and was not synced, is there in part. */
const torn = ["torn:cut", "torn:zeros", "torn:hole"];

export const classes: readonly string[] = [...inside, ...torn, ...outside];

/** Files that only a run over rows replaces. */
export function isOfRows(name: string): boolean {
  return name.startsWith("rows:") || isOfComparison(name);
}

/** How often a comparison is kept while it is made is a matter of the clock, but for an estate whose clock leaps. */
export function isOfComparison(name: string): boolean {
  return name.startsWith("comparison:");
}

export function isOutside(name: string): boolean {
  return outside.includes(name);
}

export function isTorn(name: string): boolean {
  return torn.includes(name);
}

/**
 * How many of these a run has depends on what the disk and the network do: lines are written together by chance, and so
 * are the outcomes of rows, of which several answers may have come by the time that they are.
 */
export function isByChance(name: string, estate: Estate): boolean {
  if (estate.rows !== undefined && name.startsWith("outcome:")) return true;
  return name.startsWith("journal:") || isTorn(name);
}

/**
 * Which of the points and losses the gate tries: others every day, so that in time it comes by all of them. What failed
 * is named, and `npm run test:crash` tries them all.
 */
export const turn: number = isWhole ? Math.floor(Date.now() / 86_400_000) : 0;

export function label(point: Point): string {
  return `${point.class} ${point.ordinal}`;
}

/**
 * How often a run reaches each class, from runs that are left in peace. Lines of the journal are written together
 * as time has it, so the least of several runs counts: what every run reaches.
 */
export async function countPoints(estate: Estate, runs = 3): Promise<ReadonlyMap<string, number>> {
  const counted = await Promise.all(Array.from({ length: runs }, () => countOnce(estate)));
  return new Map(classes.map((name) => [name, Math.min(...counted.map((counts) => counts.get(name) ?? 0))]));
}

async function countOnce(estate: Estate): Promise<ReadonlyMap<string, number>> {
  const world = await CrashWorld.open(estate);
  try {
    const counts = new Map<string, number>();
    const add = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
    world.emulator.on(({ phase }) => add(phase));
    const { code, stdout, stderr } = await world.startUntil(undefined).ended;
    if (!isEnd(estate, code)) throw new Error(`the counting run ended with ${code}: ${stdout}${stderr}`);
    for (const line of world.pointsReached()) add(line.slice(0, line.lastIndexOf(" ")));
    for (const name of torn) counts.set(name, counts.get("journal:after-write") ?? 0);
    const unknown = [...counts.keys()].filter((name) => !classes.includes(name));
    if (unknown.length > 0) throw new Error(`nobody knows the points ${unknown.join(", ")}`);
    return counts;
  } finally {
    await world.close();
  }
}
