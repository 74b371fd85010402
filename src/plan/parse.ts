import type { Document } from "yaml";
import { LineCounter, parseDocument } from "yaml";
import { brokenYaml } from "./broken-yaml.ts";
import { checkNodes } from "./check-nodes.ts";
import { controlMark } from "./control-mark.ts";
import { keepWritten } from "./kept-numbers.ts";
import type { PlanProblem } from "./plan-error.ts";

export interface ParsedPlan {
  readonly document: Document;
  readonly lines: LineCounter;
  readonly value: unknown;
}

/** As many times as a plan may stand for itself: more is no plan but an attempt to fill the memory. */
const mostAliases = 1_000;

/**
 * The text of a plan, YAML or JSON, as a value; or the first reason why it is none. No reason quotes anything of
 * the text but the known keys of plans: whatever is broken may be a secret. `literal`: below keys of these names a number is what is
 * written (`PlanSection.literal`).
 */
export function parsePlan(
  text: string,
  known: readonly string[],
  literal: readonly string[] = [],
): ParsedPlan | PlanProblem {
  const marked = controlMark(text);
  if (marked !== undefined) return marked;
  const lines = new LineCounter();
  // Its own warnings would go to stderr with the text that they are about; unique keys are looked for below.
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "error",
  });
  const broken = brokenYaml(text, [...document.errors, ...document.warnings], lines, known);
  if (broken !== undefined) return broken;
  const wrong = checkNodes(document, text, lines, known);
  if (wrong !== undefined) return wrong;
  keepWritten(document, literal);
  try {
    return { document, lines, value: document.toJS({ maxAliasCount: mostAliases }) };
  } catch {
    const summary = `its aliases (*) stand for too much: more than ${mostAliases} nodes`;
    return { path: "", summary, suggestion: "Write out what they stand for." };
  }
}
