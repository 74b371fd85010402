import type { GuessedRename, Rename } from "../../model/plan-lines.ts";
import { renamer } from "./rename.ts";

/**
 * The rule of a plan that makes something else of a path than what is at the target, with the one in its place that
 * makes just that. Undefined where no rule has a hand in it: a second one would then not undo the first.
 */
export function wrongRule(
  paths: readonly Rename[],
  source: string,
  there: string,
  guess: GuessedRename,
): { readonly rule: Rename; readonly corrected: Rename } | undefined {
  for (const [index, rule] of paths.entries()) {
    if (!rule.replace.includes(guess.from)) continue;
    const corrected = { ...rule, replace: rule.replace.replace(guess.from, () => guess.to) };
    if (renamer({ paths: paths.with(index, corrected) })(source) === there) return { rule, corrected };
  }
  return undefined;
}
