import type { Pairing } from "../../model/plan.ts";

/** A path or name of the source after the plan's renames, applied in order. */
export function renamer({ paths }: Pick<Pairing, "paths">): (text: string) => string {
  const renames = paths.map(({ pattern, replace }) => ({ pattern: new RegExp(pattern, "u"), replace }));
  return (text) => renames.reduce((result, { pattern, replace }) => result.replace(pattern, replace), text);
}
