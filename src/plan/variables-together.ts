import type { PlanProblem } from "./plan-error.ts";

/** To set several variables is one thing to do: one list of their names with their lines, and one piece of advice. */
export function variablesTogether(problems: readonly PlanProblem[]): readonly PlanProblem[] {
  const places = Map.groupBy(problems, ({ variable }) => variable?.name);
  const others = places.get(undefined) ?? [];
  places.delete(undefined);
  const firsts = [...places.values()].flatMap(([first]) => first ?? []);
  if (firsts.length < 2) return [...firsts, ...others];
  const isSomeEmpty = firsts.some(({ variable }) => variable?.isEmpty === true);
  const names = firsts.map(({ variable, line }) => {
    const where = [
      ...(line === undefined ? [] : [`line ${line}`]),
      ...(variable?.isEmpty === true ? ["empty"] : []),
    ];
    return `${variable?.name ?? ""}${where.length === 0 ? "" : ` (${where.join(", ")})`}`;
  });
  const one: PlanProblem = {
    path: "",
    summary: `these environment variables are not set${isSomeEmpty ? ", or empty" : ""}: ${names.join(", ")}`,
    suggestion: "Set them (export NAME=...), or name a file that does with --env-file.",
  };
  return [one, ...others];
}
