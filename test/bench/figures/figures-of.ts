import { cpus, loadavg } from "node:os";
import type { Row } from "../row.ts";
import type { Figures, Point } from "./file.ts";

/** What else the machine does, as the average of a minute: above this, times say little. */
const quietLoad = 0.5;

/** A warning where the machine is busy before the bench has begun. */
export function busy(load = loadavg()[0] ?? 0): string | undefined {
  if (load <= quietLoad) return undefined;
  return `the machine is busy (load ${load.toFixed(1)}): counts hold, times do not`;
}

/** What to keep of a version: what was measured now, and what was kept before of what was not. */
export function figuresOf(
  version: string,
  rows: readonly Row[],
  before: Figures | undefined,
  /** What `busy` said before it began. */
  warning: string | undefined,
  curves: readonly Point[] = before?.curves ?? [],
  of: { readonly rows?: readonly Point[]; readonly records?: readonly Point[] } = {
    ...(before?.rows === undefined ? {} : { rows: before.rows }),
    ...(before?.records === undefined ? {} : { records: before.records }),
  },
): Figures {
  const measured = rows.map(({ key, value, unit }) => ({ key, value: Number(value.toPrecision(4)), unit }));
  const others = (before?.figures ?? []).filter(({ key }) => !rows.some((row) => row.key === key));
  return {
    version,
    measured: new Date().toISOString().slice(0, 10),
    on: [`${cpus().length} cores, Node ${process.versions.node}`, warning]
      .filter((part) => part !== undefined)
      .join("; "),
    figures: [...others, ...measured],
    curves: [...curves],
    ...(of.rows === undefined ? {} : { rows: [...of.rows] }),
    ...(of.records === undefined ? {} : { records: [...of.records] }),
  };
}
