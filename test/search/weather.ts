import type { Emulator, EmulatorEvent } from "../../src/emulator/index.ts";
import type { EnginePoint } from "../../src/engine/apply/recorder.ts";
import type { StorePoint } from "../../src/store/index.ts";
import type { Step, TimedAct } from "./story.ts";

/** Stands for the end of the process: whoever throws it does nothing more. */
export class Killed extends Error {
  constructor() {
    super("killed");
    this.name = "Killed";
  }
}

/** What befalls one command while it is at work: acts of a colleague, faults, its own end. */
export class Weather {
  readonly stop = new AbortController();
  killed = false;
  readonly #step: Step;
  readonly #emulator: Emulator;
  readonly #act: (act: TimedAct) => void;
  readonly #reached = new Map<string, number>();
  readonly #over: (() => void)[] = [];
  #events = 0;
  readonly #writes = new Map<string, number>();

  constructor(step: Step, emulator: Emulator, act: (act: TimedAct) => void) {
    this.#step = step;
    this.#emulator = emulator;
    this.#act = act;
  }

  begin(): void {
    for (const fault of this.#step.faults) this.#over.push(this.#emulator.faults.add(fault));
    this.#over.push(this.#emulator.on((event) => this.#event(event)));
  }

  end(): void {
    for (const over of this.#over) over();
  }

  /** How often a fault took effect is told by the log. */
  readonly hooks = {
    reached: (point: EnginePoint | StorePoint): void => {
      // Whoever is dead writes nothing more.
      if (this.killed) throw new Killed();
      const nth = (this.#reached.get(point) ?? 0) + 1;
      this.#reached.set(point, nth);
      for (const act of this.#step.acts) {
        if (act.when.at === "hook" && act.when.point === point && act.when.nth === nth) this.#act(act);
      }
      const { end } = this.#step;
      if (end?.how !== "kill" || end.at !== point || end.nth !== nth) return;
      this.killed = true;
      throw new Killed();
    },
  };

  #event({ phase, entry }: EmulatorEvent): void {
    if (entry.path.includes("/openid-connect/")) return;
    this.#events += 1;
    const isWrite = entry.tenant === "prod" && entry.method !== "GET";
    const nthWrite = (this.#writes.get(phase) ?? 0) + (isWrite ? 1 : 0);
    this.#writes.set(phase, nthWrite);
    for (const act of this.#step.acts) {
      const { when } = act;
      if (when.at === "event" && when.nth === this.#events) this.#act(act);
      if (when.at === "write" && isWrite && when.phase === phase && when.nth === nthWrite) this.#act(act);
    }
    const { end } = this.#step;
    if (end?.how === "stop" && end.event === this.#events) this.stop.abort();
  }
}
