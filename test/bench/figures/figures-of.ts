import { cpus } from "node:os";
import type { Row } from "../row.ts";
import type { Figures, Point } from "./file.ts";

/** What to keep of a version: what was measured now, and what was kept before of what was not. */
export function figuresOf(
  version: string,
  rows: readonly Row[],
  before: Figures | undefined,
  curves: readonly Point[] = before?.curves ?? [],
): Figures {
  const measured = rows.map(({ key, value, unit }) => ({ key, value: Number(value.toPrecision(4)), unit }));
  const others = (before?.figures ?? []).filter(({ key }) => !rows.some((row) => row.key === key));
  return {
    version,
    measured: new Date().toISOString().slice(0, 10),
    on: `${cpus().length} cores, Node ${process.versions.node}`,
    figures: [...others, ...measured],
    curves: [...curves],
  };
}
