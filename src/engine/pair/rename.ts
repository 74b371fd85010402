import type { Pairing } from "../../model/plan.ts";

type Rename = (text: string) => string;

/** One for all who ask for the same rules: an expression may take long, and paths are renamed at several stages. */
const known = new WeakMap<Pairing["paths"], Rename>();

/** So many answers are kept; beyond them it begins anew. */
const mostKept = 10_000;

/** A path or name of the source after the plan's renames, applied in order. */
export function renamer({ paths }: Pick<Pairing, "paths">): Rename {
  const there = known.get(paths);
  if (there !== undefined) return there;
  const renames = paths.map(({ pattern, replace }) => ({ pattern: new RegExp(pattern, "u"), replace }));
  const renamed = new Map<string, string>();
  const rename: Rename = (text) => {
    const before = renamed.get(text);
    if (before !== undefined) return before;
    const result = renames.reduce((name, rule) => name.replace(rule.pattern, rule.replace), text);
    if (renamed.size >= mostKept) renamed.clear();
    renamed.set(text, result);
    return result;
  };
  known.set(paths, rename);
  return rename;
}
