import { parseArgs } from "node:util";
import { measures } from "./measures/index.ts";
import type { Measure } from "./measures/measure.ts";

/** What `npm run bench` is asked for. */
export type Wish =
  | { readonly do: "help" | "draw" }
  | { readonly do: "curves"; readonly of: string | undefined; readonly quick: boolean }
  | {
      readonly do: "rows";
      readonly chosen: readonly Measure[];
      readonly of: string | undefined;
      readonly keep: boolean;
      readonly quick: boolean;
    };

export function wishOf(args: readonly string[]): Wish {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string" },
      of: { type: "string" },
      keep: { type: "boolean", default: false },
      curves: { type: "boolean", default: false },
      draw: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const { of, keep, quick } = values;
  if (values.help) return { do: "help" };
  if (values.draw) return { do: "draw" };
  if (keep && quick) throw new Error("figures of --quick are none to keep");
  if (values.curves) return { do: "curves", of, quick };
  const wanted = values.only?.split(",").map((key) => key.trim());
  const unknown = wanted?.filter((key) => !measures.some((measure) => measure.key === key)) ?? [];
  if (unknown.length > 0) throw new Error(`there is no measure ${unknown.join(", ")}; see --help`);
  return {
    do: "rows",
    chosen: measures.filter(({ key, onlyNamed }) => wanted?.includes(key) ?? onlyNamed !== true),
    of,
    keep,
    quick,
  };
}

export function help(): string {
  const keys = measures.map(({ key, what }) => `             ${key.padEnd(10)} ${what}\n`).join("");
  return `npm run bench -- [--only KEY,...] [--of FOLDER] [--keep] [--curves | --draw] [--quick]

  --only     some of the measures:
${keys}  --of       measure another clone, for example of an earlier release: npm ci && npm run build there first
  --keep     keep what was measured in test/bench/figures, under the version that was measured
  --curves   measure the curves (1,000 to 100,000 objects) instead, keep them, and draw test/bench/figures/curves.svg
  --draw     only draw that picture anew
  --quick    small and once: shows that it works, and nothing else
`;
}
