import type { Mutant } from "./mutant.ts";

/** In what is decided for each object. */
export const inDiff: readonly Mutant[] = [
  {
    name: "adoption-without-looking",
    what: "what has the same name is taken for the twin, whatever it says",
    file: "src/engine/diff/identify.ts",
    from: '        if (same || input.plan.policy.adopt === "by-name") {',
    to: '        if (same || input.plan.policy.adopt !== "never") {',
  },
  {
    name: "drift-overwritten",
    what: "what somebody changed at the target is changed back",
    file: "src/engine/diff/three-way.ts",
    from: '  return policy.drift === "overwrite"\n',
    to: '  return policy.drift !== "report" || policy.drift === "report"\n',
  },
  {
    name: "conflict-overwritten",
    what: "what changed on both sides goes by the source",
    file: "src/engine/diff/three-way.ts",
    from: '    return policy.conflict === "source-wins"\n      ? overwrite("it changed on both sides;',
    to: '    return policy.conflict !== "report" || policy.conflict === "report"\n      ? overwrite("it changed on both sides;',
  },
  {
    name: "target-print-dropped",
    what: "whether the target moved is not asked",
    file: "src/engine/diff/three-way.ts",
    from: '    target: moved(target, "targetFingerprint"),',
    to: "    target: false,",
  },
  {
    name: "source-print-dropped",
    what: "whether the source moved is not asked",
    file: "src/engine/diff/three-way.ts",
    from: "    source: sourceMoved === true && isSwitchedAt() ? false : sourceMoved,",
    to: "    source: sourceMoved === true && (isSwitchedAt() || !isSwitchedAt()) ? false : sourceMoved,",
  },
  {
    name: "touched-orphan-deleted",
    what: "what somebody changed at the target is deleted when its original is gone",
    file: "src/engine/diff/orphans.ts",
    from: "      const touched = entry.targetFingerprint !== now;",
    to: "      const touched = entry.targetFingerprint === '';",
  },
  {
    name: "silence-clears",
    what: "at first contact, what the source says nothing of is cleared",
    file: "src/engine/diff/first-contact.ts",
    from: '  if (onlyAdds(kind) || policy.targetOnly === "remove") return [];',
    to: '  if (onlyAdds(kind) || policy.targetOnly === "remove" || policy.targetOnly === "keep") return [];',
  },
  {
    name: "approved-diff-not-compared",
    what: "an approved diff is applied though the world has moved",
    file: "src/operations/approved.ts",
    from: "  if (moved.length > 0) throw refusal(moved);\n}\n\nfunction difference(",
    to: "  if (moved.length < 0) throw refusal(moved);\n}\n\nfunction difference(",
  },
  {
    name: "unresolved-reference-sent",
    what: "what refers to something without a twin is written all the same",
    file: "src/engine/diff/three-way.ts",
    from: "  if (now.translation.unresolved.length > 0) return blocked(node, now, context);\n",
    to: "",
  },
];
