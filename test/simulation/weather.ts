import type { EmulatorEvent, LogEntry } from "../../src/emulator/index.ts";
import type { EnginePoint } from "../../src/engine/apply/recorder.ts";
import type { StorePoint } from "../../src/store/index.ts";
import type { Machine } from "./machinery/simulation.ts";
import type { Step, TimedAct } from "./story.ts";
import type { SimulatedWorld } from "./world.ts";

export interface WeatherParts {
  readonly step: Step;
  readonly world: SimulatedWorld;
  /** The process that it befalls. */
  readonly machine: Machine;
  readonly act: (act: TimedAct) => void;
  /** What a process had sent when it was cut off: read, and written by whoever cuts one off. */
  readonly cut: { sent: LogEntry | undefined };
  readonly second: () => void;
  /** The process is gone, and what it had sent is on its way. */
  readonly died: () => void;
  readonly say: (line: string) => void;
}

/** What befalls one command while it is at work: acts of a colleague, faults, clocks that are set, its own end. */
export class Weather {
  readonly stop = new AbortController();
  killed = false;
  readonly #parts: WeatherParts;
  readonly #reached = new Map<string, number>();
  readonly #over: (() => void)[] = [];
  readonly #writes = new Map<string, number>();
  #events = 0;
  #slow = 0;
  #moments = 0;

  constructor(parts: WeatherParts) {
    this.#parts = parts;
  }

  begin(): void {
    const { step, world, machine } = this.#parts;
    for (const fault of step.faults) this.#over.push(world.emulator.faults.add(fault));
    world.network.begin(step.network ?? []);
    this.#over.push(
      world.emulator.on((event) => this.#event(event)),
      world.simulation.watch((occurrence) => {
        if (occurrence.machine === machine && occurrence.what !== "") this.#moment();
      }),
    );
  }

  end(): void {
    for (const over of this.#over) over();
    this.#parts.world.network.calm();
  }

  readonly hooks = {
    reached: (point: EnginePoint | StorePoint): void | Promise<void> => {
      const { step, act } = this.#parts;
      const nth = (this.#reached.get(point) ?? 0) + 1;
      this.#reached.set(point, nth);
      for (const timed of step.acts)
        if (timed.when.at === "hook" && timed.when.point === point && timed.when.nth === nth) act(timed);
      const { end } = step;
      if (end?.how !== "kill" || end.at !== point || end.nth !== nth) return;
      this.#kill(end.power === true);
      return new Promise(() => undefined);
    },
  };

  #event({ phase, entry }: EmulatorEvent): void {
    const { step, act, cut } = this.#parts;
    if (entry.path.includes("/openid-connect/")) return;
    this.#events += 1;
    const isWrite = entry.tenant === "prod" && entry.method !== "GET";
    const nthWrite = (this.#writes.get(phase) ?? 0) + (isWrite ? 1 : 0);
    this.#writes.set(phase, nthWrite);
    for (const timed of step.acts) {
      const { when } = timed;
      if (when.at === "event" && when.nth === this.#events) act(timed);
      if (when.at === "write" && isWrite && when.phase === phase && when.nth === nthWrite) act(timed);
      if (when.at === "late" && entry === cut.sent && when.phase === phase) act(timed);
    }
    const { end } = step;
    if (end?.how === "stop" && end.event === this.#events) this.stop.abort();
    if (end?.how !== "cut" || entry.fault !== "delay" || phase !== "received") return;
    this.#slow += 1;
    if (this.#slow !== end.slow) return;
    cut.sent = entry;
    this.#kill(end.power);
  }

  #moment(): void {
    const { step, world, act, second, say } = this.#parts;
    this.#moments += 1;
    for (const timed of step.acts)
      if (timed.when.at === "moment" && timed.when.nth === this.#moments) act(timed);
    for (const { moment, ms } of step.jumps ?? []) {
      if (moment !== this.#moments) continue;
      world.simulation.skew += ms;
      say(
        `    moment ${moment}: the clock is set ${ms < 0 ? "back" : "forward"} by ${Math.abs(ms) / 1_000} s`,
      );
    }
    if (step.second?.moment === this.#moments) second();
    const { end } = step;
    if (end?.how === "crash" && end.moment === this.#moments) this.#kill(end.power);
  }

  #kill(power: boolean): void {
    const { step, act, machine, world, say, died } = this.#parts;
    this.killed = true;
    machine.alive = false;
    died();
    const lost = power ? `: the power is gone, ${world.media.lose(world.simulation.random)}` : "";
    say(`    the process dies${lost}`);
    for (const timed of step.acts) if (timed.when.at === "death") act(timed);
  }
}
