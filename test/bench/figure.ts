/** One measured figure, with the goal that it is held against. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  /** From DESIGN, section 8; none where that names no goal. */
  readonly goal?: { readonly text: string; readonly met: boolean };
  /** What it was made of. */
  readonly from: string;
}

export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ what, value, goal, from }) => [
    what,
    value,
    goal?.text ?? "-",
    goal === undefined ? "" : goal.met ? "met" : "MISSED",
    from,
  ]);
  const all = [["figure", "measured", "goal", "", "from"], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}

export function ratio(value: number): string {
  return `${value.toFixed(3)} x`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
