import type { Explanation } from "./explanation.ts";

/** About runs of the service: evaluations and documentation flows. */
export const serviceRunCodes = {
  "evaluates-nothing": {
    means: "Moved monitors have no rule that is switched on at either side.",
    why: "Nobody configured them, or they only profile: their runs are SKIPPED and have no results.",
    act: "Nothing; they are no part of the comparison.",
  },
} satisfies Readonly<Record<string, Explanation>>;
