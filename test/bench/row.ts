/** What a value counts in; `x` is a ratio. */
export type Unit = "x" | "%" | "ms" | "s" | "MB";

/** One line of the bench: what was measured, and what it is held against. */
export interface Row {
  /** The same in every version, so that versions can be compared. */
  readonly key: string;
  readonly what: string;
  readonly value: number;
  readonly unit: Unit;
  readonly goal: Goal;
  /** The least and the most of several rounds, of which the value is the median. */
  readonly spread?: readonly [least: number, most: number];
  /** What it was made of. */
  readonly from: string;
}

export interface Goal {
  readonly most: number;
  /** The goal itself is too much already. */
  readonly under?: boolean;
}

export function isMet({ value, goal }: Pick<Row, "value" | "goal">): boolean {
  return goal.under === true ? value < goal.most : value <= goal.most;
}

const digits: Readonly<Record<Unit, number>> = { x: 2, "%": 1, ms: 0, s: 2, MB: 0 };

/** `0.42 ms`, `1.03 x`, `46 ms`: small values keep two digits, whatever they count in. */
export function amount(value: number, unit: Unit): string {
  const places = Math.abs(value) < 10 && unit === "ms" ? 2 : digits[unit];
  return `${value.toFixed(places)} ${unit}`;
}

export function goalText({ goal, unit }: Pick<Row, "goal" | "unit">): string {
  return `${goal.under === true ? "<" : "<="} ${Number(goal.most.toFixed(2))} ${unit}`;
}

/** The median, with how far the rounds lie apart. */
export function middle(values: readonly number[]): Pick<Row, "value"> & Partial<Pick<Row, "spread">> {
  const sorted = [...values].sort((left, right) => left - right);
  const [least, most] = [sorted[0] ?? Number.NaN, sorted.at(-1) ?? Number.NaN];
  const value = median(sorted);
  return sorted.length > 1 ? { value, spread: [least, most] } : { value };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}

export function seconds(ms: number): string {
  return amount(ms / 1000, "s");
}

export function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}
