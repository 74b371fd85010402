import { isMap, isSeq } from "yaml";
import type { Document, LineCounter } from "yaml";
import type { PlanProblem } from "./plan-error.ts";

/** Where something stands in the file, counted from 1. */
export type Place = Required<Pick<PlanProblem, "line" | "column">>;

/** The place of a key or item, or of what is nearest above it; undefined when nothing on the way is there. */
export function placeOf(
  document: Document,
  lines: LineCounter,
  path: readonly PropertyKey[],
): Place | undefined {
  let node: unknown = document.contents;
  let position: number | undefined;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => String((item.key as { value?: unknown } | null)?.value ?? item.key) === String(part),
      );
      const range = (pair?.key as { range?: readonly number[] } | undefined)?.range;
      position = range?.[0] ?? position;
      node = pair?.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      position = (node as { range?: readonly number[] } | undefined)?.range?.[0] ?? position;
    } else {
      break;
    }
  }
  if (position === undefined) return undefined;
  const { line, col: column } = lines.linePos(position);
  return { line, column };
}

/** The place of a problem that is known by its path alone. */
export function located(problem: PlanProblem, document: Document, lines: LineCounter): PlanProblem {
  const parts = problem.path.split(/[.[\]]+/).filter((part) => part !== "");
  return { ...problem, ...placeOf(document, lines, parts) };
}
