import { setTimeout as sleep } from "node:timers/promises";
import type { FaultEffect, FaultSwitch } from "../faults.ts";
import { Problem } from "../problem.ts";
import type { Answer, Tampering } from "./call.ts";
import type { LogEntry } from "./log.ts";
import { page, tamperedAnswer, tamperingOf } from "./tampering.ts";
import { encoded, truncated } from "./transfer.ts";
import type { Wire } from "./wire.ts";

export type Phase = "received" | "before-commit" | "after-commit" | "answered";

export interface EmulatorEvent {
  readonly phase: Phase;
  readonly entry: LogEntry;
}

/** One request on its way through, whatever it asks for. */
export interface Exchange {
  readonly entry: LogEntry;
  readonly wire: Wire;
  readonly mutates: boolean;
  /** Requests that their tenant has received up to this one. */
  readonly requestNumber: number;
  /** Notes the body in the log; throws the refusal of a request that may not go on. */
  readonly admit: (body: string) => void;
  /** Handles and commits without a pause. */
  readonly run: (body: string, tampering: Tampering) => Answer;
}

export class Pipeline {
  readonly #faults: FaultSwitch;
  readonly #clock: () => number;
  readonly #listeners = new Set<(event: EmulatorEvent) => void | Promise<void>>();
  readonly #pending = new Set<Promise<void>>();

  constructor(faults: FaultSwitch, clock: () => number) {
    this.#faults = faults;
    this.#clock = clock;
  }

  on(listener: (event: EmulatorEvent) => void | Promise<void>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when nothing is under way any more, late commits included. */
  async idle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
  }

  async handle(exchange: Exchange): Promise<void> {
    const work = this.#handle(exchange);
    this.#pending.add(work);
    try {
      await work;
    } finally {
      this.#pending.delete(work);
    }
  }

  async #handle(exchange: Exchange): Promise<void> {
    const { entry, wire } = exchange;
    const effect = this.#faults.pick(entry);
    if (effect !== undefined) entry.fault = effect.type;
    await this.#emit("received", entry);
    if (effect?.type === "refuse-connection") {
      wire.destroy();
      await this.#emit("answered", entry);
      return;
    }
    const body = await wire.body();
    // A client that left before its request was whole has asked for nothing.
    if (body !== undefined) await this.#answer(exchange, body, effect);
    entry.status = wire.status();
    await this.#emit("answered", entry);
  }

  async #answer(exchange: Exchange, body: string, effect: FaultEffect | undefined): Promise<void> {
    const { wire } = exchange;
    switch (effect?.type) {
      case "drop-before-commit":
        wire.destroy();
        return;
      case "drop-after-commit":
      case "partial-commit":
        await this.#commit(exchange, body, effect);
        wire.destroy();
        return;
      case "late-commit":
        wire.destroy();
        await sleep(effect.ms);
        await this.#commit(exchange, body, effect);
        return;
      case "delay": {
        if (effect.at !== "after-commit") await sleep(effect.ms);
        const answer = await this.#commit(exchange, body, effect);
        if (effect.at === "after-commit") await sleep(effect.ms);
        wire.send(encoded(answer));
        return;
      }
      case "status": {
        if (effect.commit === true) await this.#commit(exchange, body, effect);
        const headers = effect.retryAfter === undefined ? {} : { "Retry-After": String(effect.retryAfter) };
        if (effect.page === true) {
          wire.send(encoded({ status: effect.code, html: page, headers }));
          return;
        }
        const problem = new Problem(
          effect.code,
          "GATEWAY_ERROR",
          "Gateway Error",
          "The gateway gave this answer.",
        );
        wire.send(encoded({ status: effect.code, body: problem.body(), headers }));
        return;
      }
      case "truncate":
        wire.send(truncated(await this.#commit(exchange, body, effect)));
        return;
      default: {
        const answer = await this.#commit(exchange, body, effect);
        wire.send(encoded(effect === undefined ? answer : tamperedAnswer(answer, effect)));
      }
    }
  }

  /** Runs the request between its two events; only one that changes something has them. */
  async #commit(exchange: Exchange, body: string, effect: FaultEffect | undefined): Promise<Answer> {
    const { entry, mutates } = exchange;
    try {
      exchange.admit(body);
      if (mutates) await this.#emit("before-commit", entry);
      const answer = exchange.run(body, tamperingOf(effect, this.#clock(), exchange.requestNumber));
      if (mutates && answer.status < 400) await this.#emit("after-commit", entry);
      return answer;
    } catch (error) {
      if (error instanceof Problem)
        return { status: error.status, body: error.body(), headers: error.headers };
      // A fault of the emulator itself: tests see it in the answer.
      const detail = error instanceof Error ? `${error.message}\n${error.stack ?? ""}` : String(error);
      return { status: 500, body: new Problem(500, "EMULATOR_DEFECT", "Emulator Defect", detail).body() };
    }
  }

  async #emit(phase: Phase, entry: LogEntry): Promise<void> {
    for (const listener of this.#listeners) await listener({ phase, entry });
  }
}
