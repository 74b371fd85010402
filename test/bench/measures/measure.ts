import type { Package } from "../command/package.ts";
import type { Row } from "../row.ts";

/** What every measure is given. */
export interface Bench {
  /** The command that is measured. */
  readonly of: Package;
  /** Small and once: it shows that everything works, and nothing else. */
  readonly quick: boolean;
}

export interface Measure {
  /** For --only. */
  readonly key: string;
  readonly what: string;
  /** Taken only when it is named: it takes too long for every day. */
  readonly onlyNamed?: boolean;
  readonly take: (bench: Bench) => Promise<readonly Row[]>;
}
