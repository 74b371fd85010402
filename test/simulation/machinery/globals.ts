import type * as Crypto from "node:crypto";
import { createRequire, syncBuiltinESMExports } from "node:module";
import type * as Timers from "node:timers/promises";
import type { Random } from "../../../src/emulator/random.ts";
import { SimulatedHeaders } from "./headers.ts";
import { type Init, SimulatedRequest, type SimulatedResponse } from "./http.ts";
import type { Occurrence, Simulation } from "./simulation.ts";

/** What is being played: one history at a time. */
let played: { readonly simulation: Simulation; readonly chances: Random } | undefined;

/**
 * What the code under test and its libraries reach without being handed it: time, chance and the network. In place of
 * them, as long as a history lasts and in this thread alone, stands the simulation. Gives back how it was before.
 */
export function inPlaceOfGlobals(
  simulation: Simulation,
  fetch: (input: SimulatedRequest | string | URL, init?: Init) => Promise<SimulatedResponse>,
): () => void {
  guideModules();
  const chances = simulation.chances("process");
  const changes: readonly (readonly [object, string, unknown])[] = [
    [globalThis, "setTimeout", later(simulation)],
    [globalThis, "clearTimeout", forget],
    [globalThis, "setImmediate", (callback: Callback) => later(simulation)(callback)],
    [globalThis, "setInterval", refused("setInterval")],
    [globalThis, "fetch", fetch],
    [globalThis, "Request", SimulatedRequest],
    [globalThis, "Headers", SimulatedHeaders],
    [Date, "now", () => simulation.wallTime],
    [performance, "now", () => simulation.now],
    [Math, "random", () => chances.fraction()],
    [process, "pid", 1],
  ];
  const undo = changes.map(([owner, name, value]) => replace(owner, name, value));
  const before = played;
  played = { simulation, chances };
  return () => {
    played = before;
    for (const back of undo) back();
  };
}

let isGuided = false;

/**
 * What the platform's modules export can be changed for all who import it, but that is dear: it is done once, and asks
 * whether a history is being played.
 */
function guideModules(): void {
  if (isGuided) return;
  isGuided = true;
  const load = createRequire(import.meta.url);
  const crypto = load("node:crypto") as typeof Crypto;
  const timers = load("node:timers/promises") as typeof Timers;
  const { randomBytes, randomUUID } = crypto;
  const { setTimeout: sleep } = timers;
  const bytes = (length: number): Buffer =>
    played === undefined ? randomBytes(length) : drawn(played.chances, length);
  const uuid = (): string => played?.chances.uuid() ?? randomUUID();
  const wait = (ms?: number, value?: unknown, options?: Waiting): Promise<unknown> =>
    played === undefined ? sleep(ms, value, options) : waiting(played.simulation, ms, value, options);
  replace(crypto, "randomBytes", bytes);
  replace(crypto, "randomUUID", uuid);
  replace(timers, "setTimeout", wait);
  syncBuiltinESMExports();
}

function drawn(chances: Random, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at += 1) bytes[at] = chances.word() & 0xff;
  return bytes;
}

function replace(owner: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { value, configurable: true, writable: true, enumerable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(owner, name);
    else Object.defineProperty(owner, name, before);
  };
}

type Callback = (...args: unknown[]) => void;

function later(simulation: Simulation) {
  return (callback: Callback, ms = 0, ...args: unknown[]): Timer =>
    new Timer(simulation.schedule(ms, "", () => callback(...args)));
}

function forget(timer: unknown): void {
  if (timer instanceof Timer) timer.occurrence.isOver = true;
}

class Timer {
  readonly occurrence: Occurrence;

  constructor(occurrence: Occurrence) {
    this.occurrence = occurrence;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

interface Waiting {
  readonly signal?: AbortSignal;
}

function waiting(
  simulation: Simulation,
  ms = 0,
  value?: unknown,
  { signal }: Waiting = {},
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const refuse = (): void => {
      occurrence.isOver = true;
      reject(new DOMException("The operation was aborted", "AbortError"));
    };
    const occurrence = simulation.schedule(ms, "", () => {
      signal?.removeEventListener("abort", refuse);
      resolve(value);
    });
    if (signal?.aborted === true) refuse();
    else signal?.addEventListener("abort", refuse, { once: true });
  });
}

function refused(name: string) {
  return (): never => {
    throw new Error(`${name} has no place in the simulation`);
  };
}
