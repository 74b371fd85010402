import { isMap } from "./maps.ts";
import type { PlanProblem } from "./plan-error.ts";

/** A whole text, or a part of an address, that looks like a variable to whoever knows a shell. */
const bare = /^\$[A-Za-z_]\w*$/;
const bareInside = /\$[A-Za-z_]\w*/;

/** `$NAME` is a text like any other here; in what says who and where an environment is, it is a slip. */
export function bareVariables(filled: unknown): readonly PlanProblem[] {
  if (!isMap(filled)) return [];
  return ["source", "target"].flatMap((side) => {
    const environment = filled[side];
    if (!isMap(environment)) return [];
    return [
      ...Object.entries(environment),
      ...Object.entries(isMap(environment["masterData"]) ? environment["masterData"] : {}).map(
        ([key, value]) => [`masterData.${key}`, value] as const,
      ),
    ].flatMap(([key, value]): readonly PlanProblem[] => {
      const slip = key.endsWith("Url") ? bareInside : bare;
      if (typeof value !== "string" || !slip.test(value)) return [];
      const path = `${side}.${key}`;
      const summary = `"${path}" has a $ and a word, which stay as they are: braces are missing`;
      return [{ path, summary, suggestion: "Write a variable as ${NAME}." }];
    });
  });
}
