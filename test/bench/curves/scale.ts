/** From values to places on a line, with the values that are worth a mark. */
export interface Scale {
  readonly ticks: readonly number[];
  /** 0 at the beginning of the axis, 1 at its end. */
  at(value: number): number;
}

/** From zero to a round number at or above the greatest value, in at most five steps. */
export function linear(values: readonly number[]): Scale {
  const most = Math.max(...values, 0);
  const step = roundStep(most / 4);
  const end = Math.max(1, Math.ceil(most / step)) * step;
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, index) =>
    Number((index * step).toPrecision(6)),
  );
  return { ticks, at: (value) => value / end };
}

/**
 * From a round number at or below the least value to one at or above the greatest, with marks at ones and threes. What is
 * ten times as much is always as far away. `room` keeps the least value that much above the beginning.
 */
export function logarithmic(values: readonly number[], room = 1): Scale {
  const from = roundDown(Math.min(...values) / room);
  const to = roundUp(Math.max(...values));
  const [low, high] = [Math.log10(from), Math.max(Math.log10(from) + 1, Math.log10(to))];
  const powers = Array.from(
    { length: Math.ceil(high) - Math.floor(low) + 1 },
    (_, index) => Math.floor(low) + index,
  );
  const ticks = powers
    .flatMap((power) => [Number(`1e${power}`), Number(`3e${power}`)])
    .filter((tick) => Math.log10(tick) >= low - 1e-9 && Math.log10(tick) <= high + 1e-9);
  return { ticks, at: (value) => (Math.log10(value) - low) / (high - low) };
}

const roundOnes = [1, 2, 5, 10];

function roundDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (roundOnes.findLast((each) => each * power <= value * 1.000_001) ?? 1);
}

function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (roundOnes.find((each) => each * power >= value * 0.999_999) ?? 10);
}

/** 1, 2, 2.5 or 5 times a power of ten, not below the value. */
function roundStep(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= value * 0.999_999) ?? 10;
  return factor * power;
}
