import { isMap } from "./maps.ts";
import type { PlanProblem } from "./plan-error.ts";

/** A whole text, or a part of an address, that looks like a variable to whoever knows a shell. */
const bare = /^\$[A-Za-z_]\w*$/;
const bareInside = /\$[A-Za-z_]\w*/;

/** The same with braces in which there is no name: one with a default, as shells have it, with a blank, or without an end. */
const unnamed = /^\$\{(?![A-Za-z_]\w*\})[^}]*\}?$/;
const unnamedInside = /(?<!\$)\$\{(?![A-Za-z_]\w*\})/;

/** `$NAME` is a text like any other here; in what says who and where an environment is, it is a slip. */
export function bareVariables(plan: unknown): readonly PlanProblem[] {
  if (!isMap(plan)) return [];
  return ["source", "target"].flatMap((side) => {
    const environment = plan[side];
    if (!isMap(environment)) return [];
    return [
      ...Object.entries(environment),
      ...Object.entries(isMap(environment["masterData"]) ? environment["masterData"] : {}).map(
        ([key, value]) => [`masterData.${key}`, value] as const,
      ),
    ].flatMap(([key, value]): readonly PlanProblem[] => {
      const [slip, other] = key.endsWith("Url") ? [bareInside, unnamedInside] : [bare, unnamed];
      if (typeof value !== "string") return [];
      const path = `${side}.${key}`;
      if (other.test(value))
        return [
          {
            path,
            summary: `"${path}" has a \${ that names no variable, and stays as it is`,
            suggestion:
              "Write a variable as ${NAME}, of letters, digits and _ alone, without a default. A secret that looks like one: put it into a variable.",
          },
        ];
      if (!slip.test(value)) return [];
      const summary = `"${path}" has a $ and a word, which stay as they are: braces are missing`;
      return [{ path, summary, suggestion: "Write a variable as ${NAME}." }];
    });
  });
}
