import type { DiffInput } from "./input.ts";
import { keyText } from "../../model/key.ts";
import { shellWord } from "../../model/shell-word.ts";
import type { Stop } from "./node.ts";
import { wordFor } from "../word-for.ts";

/** What keeps an object from being touched whatever the two sides say: a request in doubt, or a person's word. */
export function heldBack(
  input: Pick<DiffInput, "inDoubt" | "onItsWay" | "goesOn" | "abandoned" | "plan" | "registry">,
  kind: string,
  urn: string,
): Stop | undefined {
  const { registry } = input;
  const { name } = input.plan;
  if (input.onItsWay?.has(keyText(kind, urn)) === true) {
    return {
      action: "blocked",
      code: "on-its-way",
      reason: "a run that is at work at the target has sent a request for it, which has no answer yet",
      suggestion: `Wait until that run has ended (\`ferry status ${name}\` tells), then run: ferry diff ${name}`,
    };
  }
  if (input.inDoubt.has(keyText(kind, urn))) {
    return {
      action: "blocked",
      code: "in-doubt",
      reason: "an earlier request for it had no answer, and whether it happened is not settled",
      suggestion: `Run \`${input.goesOn ?? `ferry apply ${name}`}\` to settle it, or \`ferry resolve ${name}\` to decide.`,
    };
  }
  const left = input.abandoned?.get(kind, urn);
  if (left === undefined) return undefined;
  // What lies over something has no twin but that of what it lies over.
  const naming = registry.owns(kind)
    ? `. To name its twin: ferry mappings ${name} set ${shellWord(urn)} <target urn>.`
    : "";
  return {
    action: "manual",
    code: "abandoned",
    reason: `abandoned by a person on ${left.at.slice(0, 10)}: whether its ${left.step} happened was in doubt`,
    suggestion: `To have it moved again: ferry resolve ${name} --retry ${wordFor(registry, kind, urn)}${naming}`,
  };
}
