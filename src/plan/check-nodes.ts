import type { Document, LineCounter } from "yaml";
import { isAlias, isCollection, isMap, isPair, isScalar } from "yaml";
import { excerpt } from "./broken-yaml.ts";
import type { PlanProblem } from "./plan-error.ts";

/** A plan needs five levels. */
const deepest = 64;

const quoted = "A value that begins with one of * & ! | > % @ has to stand in quotes.";

/** What is YAML and yet no plan: nodes that refer to nothing or to themselves, keys that are none or stand twice. */
export function checkNodes(
  document: Document,
  text: string,
  lines: LineCounter,
  known: readonly string[],
): PlanProblem | undefined {
  const wrong = walk(document);
  if (wrong === undefined) return undefined;
  const { line, col: column } = lines.linePos(wrong.at);
  return {
    path: "",
    line,
    column,
    summary: wrong.summary,
    excerpt: excerpt(text, { line, column }, known),
    ...(wrong.suggestion === undefined ? {} : { suggestion: wrong.suggestion }),
  };
}

interface Wrong {
  readonly at: number;
  readonly summary: string;
  readonly suggestion?: string;
}

interface Step {
  readonly node: unknown;
  /** The collections that it is in, the outermost first. */
  readonly within: readonly unknown[];
}

/** In the order of the text, as anchors count, and without recursion: nobody knows yet how deep it goes. */
function walk(document: Document): Wrong | undefined {
  const anchors = new Map<string, unknown>();
  const idle = new Set<unknown>();
  const steps: Step[] = [{ node: document.contents, within: [] }];
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const { node, within } = step;
    if (isPair(node)) {
      steps.push({ node: node.value, within }, { node: node.key, within });
      continue;
    }
    if (isAlias(node)) {
      const stands = anchors.get(node.source);
      if (stands === undefined)
        return { at: startOf(node), summary: "an alias (*) of no anchor", suggestion: quoted };
      if (within.includes(stands))
        return { at: startOf(node), summary: "an alias (*) that stands for what it is in" };
      idle.delete(stands);
      continue;
    }
    if ((isScalar(node) || isCollection(node)) && node.anchor !== undefined) {
      anchors.set(node.anchor, node);
      // What would be lost in silence is a value that begins with the mark of an anchor.
      if (isScalar(node)) idle.add(node);
    }
    if (!isCollection(node)) continue;
    if (within.length >= deepest)
      return { at: startOf(node), summary: `it is nested deeper than ${deepest} levels` };
    const wrong = isMap(node) ? keysOf(node.items) : undefined;
    if (wrong !== undefined) return wrong;
    const inside = [...within, node];
    for (const item of [...node.items].reverse()) steps.push({ node: item, within: inside });
  }
  const [first] = idle;
  if (first === undefined) return undefined;
  return { at: startOf(first), summary: "an anchor (&) that nothing refers to", suggestion: quoted };
}

function keysOf(items: readonly { readonly key: unknown }[]): Wrong | undefined {
  const seen = new Set<string>();
  for (const { key } of items) {
    if (!isScalar(key)) return { at: startOf(key), summary: "a key that is no word", suggestion: quoted };
    const name = String(key.value);
    if (seen.has(name)) return { at: startOf(key), summary: "the keys of a map must be unique" };
    seen.add(name);
  }
  return undefined;
}

function startOf(node: unknown): number {
  return (node as { readonly range?: readonly number[] | null } | null)?.range?.[0] ?? 0;
}
