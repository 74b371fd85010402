import { shellWord } from "../../model/shell-word.ts";
import type { DiffInput } from "./input.ts";
import type { Node } from "./node.ts";
import { settingOf } from "./setting.ts";

/** What a person can do about a twin that is gone: the same whether the object itself tells it or what refers to it. */
export function missingAdvice(node: Node, input: Pick<DiffInput, "plan" | "registry">): string {
  const what = `${node.kind.name} "${node.name}"`;
  const again = `policy.missingTarget to recreate, or drop the pair: \`ferry mappings ${input.plan.name} remove ${shellWord(node.urn)}\`.`;
  const [first, ...others] = node.candidates;
  if (first === undefined) return `To have ${what} made again, set ${again}`;
  const more = others.length === 0 ? "" : ` (or ${others.join(", ")})`;
  return `Something with the name of ${what} stands there: ${first}${more}. If it is the same thing: ${settingOf(node, first, input)}. If not: set ${again}`;
}
