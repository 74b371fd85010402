import { createRequire, syncBuiltinESMExports } from "node:module";
import { SimulatedHeaders } from "./headers.ts";
import { type Init, SimulatedRequest, type SimulatedResponse } from "./http.ts";
import type { Occurrence, Simulation } from "./simulation.ts";

/**
 * What the code under test and its libraries reach without being handed it: time, chance and the network. In place of
 * them, as long as a history lasts and in this thread alone, stands the simulation. Gives back how it was before.
 */
export function inPlaceOfGlobals(
  simulation: Simulation,
  fetch: (input: SimulatedRequest | string | URL, init?: Init) => Promise<SimulatedResponse>,
): () => void {
  const load = createRequire(import.meta.url);
  const crypto = load("node:crypto") as Record<string, unknown>;
  const timers = load("node:timers/promises") as Record<string, unknown>;
  const chances = simulation.chances("process");
  const bytes = (length: number): Buffer => {
    const drawn = Buffer.alloc(length);
    for (let at = 0; at < length; at += 1) drawn[at] = chances.word() & 0xff;
    return drawn;
  };

  const changes: readonly (readonly [object, string, unknown])[] = [
    [globalThis, "setTimeout", later(simulation)],
    [globalThis, "clearTimeout", forget],
    [globalThis, "setInterval", refused("setInterval")],
    [globalThis, "fetch", fetch],
    [globalThis, "Request", SimulatedRequest],
    [globalThis, "Headers", SimulatedHeaders],
    [Date, "now", () => simulation.wallTime],
    [performance, "now", () => simulation.now],
    [Math, "random", () => chances.fraction()],
    [process, "pid", 1],
    [crypto, "randomBytes", bytes],
    [crypto, "randomUUID", () => chances.uuid()],
    [timers, "setTimeout", waiting(simulation)],
  ];
  const undo = changes.map(([owner, name, value]) => replace(owner, name, value));
  syncBuiltinESMExports();
  return () => {
    for (const back of undo) back();
    syncBuiltinESMExports();
  };
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

function waiting(simulation: Simulation) {
  return (ms = 0, value?: unknown, { signal }: { readonly signal?: AbortSignal } = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
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
