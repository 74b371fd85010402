import type { Figure } from "../figure.ts";
import type { Pace } from "../pace.ts";
import { diffSpeed } from "./diff-speed.ts";
import { memory } from "./memory.ts";
import { recording } from "./recording.ts";
import { requests } from "./requests.ts";
import { startUp } from "./start-up.ts";
import { unchanged } from "./unchanged.ts";
import { wallTime } from "./wall-time.ts";

export interface Measure {
  /** For --only. */
  readonly key: string;
  readonly what: string;
  readonly take: (pace: Pace) => Promise<readonly Figure[]>;
}

export const measures: readonly Measure[] = [
  { key: "a", what: "requests against pages and batches", take: requests },
  { key: "b", what: "wall time against a bare client", take: wallTime },
  { key: "d", what: "cost of journal and mapping", take: recording },
  { key: "e", what: "a run without changes", take: unchanged },
  { key: "f", what: "start", take: startUp },
  { key: "g", what: "diff", take: diffSpeed },
  // Last: it takes longest, and what is left of the time decides how large it may be.
  { key: "c", what: "peak memory", take: memory },
];
