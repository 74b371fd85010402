import type { z } from "zod";
import { wrongValue } from "../model/wrong-value.ts";
import { isMap } from "./maps.ts";
import type { PlanFile, PlanForm } from "./schema.ts";
import { withSelectors } from "./selectors.ts";

/** Stand for what is wrong and has to be there; nothing that is said of them is told. */
const environment = { baseUrl: "https://a.invalid", realm: "a", clientId: "a", clientSecret: "a" };
const standIns = { version: 1, source: { ...environment, name: "a" }, target: { ...environment, name: "b" } };

/**
 * What is left of a plan without the parts in which something has the wrong form: what it means can be looked at in the same round.
 * `isOfWrong`: what is at this path, or what it is held against, is among these parts. Undefined where nothing can be made of it.
 */
export function fitting(
  plan: unknown,
  issues: readonly z.core.$ZodIssue[],
  { schema }: PlanForm,
): { readonly file: PlanFile; readonly isOfWrong: (path: string) => boolean } | undefined {
  if (!isMap(plan)) return undefined;
  const wrong = new Set(
    issues.flatMap((issue) =>
      issue.path.length === 0 && issue.code === "unrecognized_keys" ? issue.keys : [String(issue.path[0])],
    ),
  );
  const right = Object.entries(plan).filter(([key]) => !wrong.has(key));
  const standing = Object.entries(standIns).filter(([key]) => wrong.has(key));
  const rest = schema.safeParse(withSelectors(Object.fromEntries([...standing, ...right])), {
    error: wrongValue,
  });
  if (!rest.success) return undefined;
  // The two sides are held against each other.
  if (wrong.has("source") || wrong.has("target")) wrong.add("source").add("target");
  return {
    file: rest.data as unknown as PlanFile,
    isOfWrong: (path) => wrong.has(/^[^.[]*/.exec(path)?.[0] ?? ""),
  };
}
