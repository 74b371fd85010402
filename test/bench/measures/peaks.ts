import type { RunReport } from "../command/run.ts";
import type { Row } from "../row.ts";
import { mebibytes, seconds } from "../row.ts";

/** Of two runs, the second one over more: how much more memory it takes. */
export function peaks(key: string, what: string, small: RunReport, big: RunReport): Row {
  const said = ({ peakBytes, wallMs, cpuMs }: RunReport): string =>
    `${mebibytes(peakBytes)} in ${seconds(wallMs)} (processor ${seconds(cpuMs)})`;
  const value = big.peakBytes / small.peakBytes;
  return { key, what, value, unit: "x", goal: { most: 1.3 }, from: `${said(small)}, ${said(big)}` };
}
