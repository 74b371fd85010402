import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Problem, Translation } from "../../model/translate.ts";
import type { DiffInput } from "./input.ts";
import type { Node } from "./node.ts";
import type { Resolver } from "./resolver.ts";

const advice: Readonly<Partial<Record<Problem["form"], string>>> = {
  mention: "Say it by its name in the text at the source, or correct the text at the target.",
  key: "Name the field by the URN at the source, which is rewritten, or correct it at the target.",
};

/** What a person should know of an object's references. */
export function translationDiagnostics(
  node: Node,
  translation: Translation,
  resolver: Resolver,
): readonly Diagnostic[] {
  const coordinate = { kind: node.kind.name, urn: node.urn, name: node.name };
  const found: Diagnostic[] = [];
  for (const problem of translation.unresolved) {
    const cause = problem.form === "urn" ? resolver.cause(problem.value) : undefined;
    found.push({
      severity: "error",
      code: "unresolved-reference",
      coordinate,
      pointer: problem.pointer,
      summary: `the reference to ${problem.value} has no target: ${problem.reason}`,
      ...(problem.suggestion === undefined ? {} : { suggestion: problem.suggestion }),
      ...(cause === undefined ? {} : { cause }),
    });
  }
  for (const problem of translation.loose) {
    found.push({
      severity: "warning",
      code: problem.form === "gid" ? "rich-text-id" : "loose-id",
      coordinate,
      pointer: problem.pointer,
      summary: `the id ${problem.value} travels as ${problem.form === "key" ? "a new key" : "it is"}: ${problem.reason}`,
      suggestion: advice[problem.form] ?? "Move what it refers to first, or edit the text.",
    });
  }
  for (const problem of translation.dropped) {
    found.push({
      severity: "warning",
      code: "reference-dropped",
      coordinate,
      pointer: problem.pointer,
      summary: `the reference to ${problem.value} is left out, as the plan says: ${problem.reason}`,
    });
  }
  return found;
}

export function remarks(
  node: Node,
  tree: JsonObject,
  target: JsonObject | undefined,
  input: DiffInput,
): readonly Diagnostic[] {
  const coordinate = { kind: node.kind.name, urn: node.urn, name: node.name };
  return (node.kind.remarks?.(tree, input.plan.policy, target) ?? []).map((remark) => ({
    ...remark,
    coordinate,
  }));
}
