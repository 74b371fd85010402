import type { Verdict } from "./experiment.ts";
import type { Task } from "./tasks.ts";

interface Row {
  tried: number;
  kills: number;
  failures: number;
}

/** Adds up what the full run tried. */
export class Tally {
  readonly #rows = new Map<string, Row>();
  #draftsLeft = 0;

  get done(): number {
    return this.#sum("tried");
  }

  get failures(): number {
    return this.#sum("failures");
  }

  /** What to tell of it, when it failed. */
  add(task: Task, { kills, problems, draftsLeft }: Verdict): string | undefined {
    const row = this.#rows.get(task.class) ?? { tried: 0, kills: 0, failures: 0 };
    this.#rows.set(task.class, row);
    row.tried += 1;
    row.kills += kills;
    this.#draftsLeft += draftsLeft;
    const missed = kills < task.kills && problems.length === 0 ? ["it was not killed"] : [];
    const all = [...problems, ...missed];
    if (all.length === 0) return undefined;
    row.failures += 1;
    return [`FAILED ${task.name}`, ...all.map((problem) => `  ${problem}`)].join("\n");
  }

  table(): string {
    const line = (cells: readonly (string | number)[]): string =>
      cells.map((cell, index) => (index === 0 ? String(cell).padEnd(26) : String(cell).padStart(9))).join("");
    const rows = [...this.#rows].map(([name, { tried, kills, failures }]) =>
      line([name, tried, kills, failures]),
    );
    return [line(["class", "points", "kills", "failures"]), ...rows].join("\n");
  }

  summary(): string {
    const drafts = `${this.#draftsLeft} drafts of dashboards left and told of`;
    return `${this.done} points, ${this.#sum("kills")} kills, ${this.failures} failures (${drafts})`;
  }

  #sum(field: keyof Row): number {
    return [...this.#rows.values()].reduce((sum, row) => sum + row[field], 0);
  }
}
