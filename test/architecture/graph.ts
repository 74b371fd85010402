import { components } from "../../src/model/graph.ts";
import type { Module } from "./modules.ts";

function graphOf(modules: readonly Module[], withTypes: boolean): Map<string, string[]> {
  const paths = new Set(modules.map(({ path }) => path));
  const ours = ({ imports }: Module): string[] =>
    imports
      .filter(({ target, typeOnly }) => paths.has(target) && (withTypes || !typeOnly))
      .map(({ target }) => target);
  return new Map(modules.map((module) => [module.path, ours(module)]));
}

/** Groups of files that import each other in a circle; each as the sorted paths. */
export function cycles(
  modules: readonly Module[],
  { withTypes }: { readonly withTypes: boolean },
): readonly (readonly string[])[] {
  const graph = graphOf(modules, withTypes);
  return components(graph)
    .filter((group) => group.length > 1 || group.some((path) => graph.get(path)?.includes(path) === true))
    .map((group) => [...group].sort());
}

/** Files that nothing leads to from the entries. */
export function unreachable(modules: readonly Module[], entries: readonly string[]): readonly string[] {
  const graph = graphOf(modules, true);
  const seen = new Set(entries);
  for (const path of seen) for (const next of graph.get(path) ?? []) seen.add(next);
  return [...graph.keys()].filter((path) => !seen.has(path));
}

/** Imports of ours that name a file which is not there. */
export function dangling(modules: readonly Module[]): readonly string[] {
  const paths = new Set(modules.map(({ path }) => path));
  return modules.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => target.startsWith("src/") && !paths.has(target))
      .map(({ target }) => `${path} imports ${target}`),
  );
}
