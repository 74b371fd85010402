import type { Mutant } from "./mutant.ts";

/** In what is decided for each object. */
export const inDiff: readonly Mutant[] = [
  {
    name: "adoption-without-looking",
    what: "what has the same name is taken for the twin, whatever it says",
    file: "src/engine/diff/identify.ts",
    from: "        if (same || (isNamed && others?.length === 0 && orphaned.length === 0)) {",
    to: "        if (same || !isNamed || (others?.length === 0 && orphaned.length === 0)) {",
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
    from: '  const targetMoved = moved(target, "targetFingerprint");',
    to: "  const targetMoved = false;",
  },
  {
    name: "source-print-dropped",
    what: "whether the source moved is not asked",
    file: "src/engine/diff/three-way.ts",
    from: "    source: isOwn ? false : isMoved,",
    to: "    source: isOwn || isMoved === true ? false : isMoved,",
  },
  {
    name: "touched-orphan-deleted",
    what: "what somebody changed at the target is deleted when its original is gone",
    file: "src/engine/diff/orphans.ts",
    from: "          : !wasKnownAs(kind, body, entry.targetFingerprint",
    to: "          : entry.targetFingerprint === '' && !wasKnownAs(kind, body, entry.targetFingerprint",
  },
  {
    name: "other-version-decided",
    what: "a decision counts for whatever stands at the target by now",
    file: "src/engine/diff/three-way.ts",
    from: "found.targetPrint === now.targetFingerprint\n    ? found",
    to: 'found.targetPrint !== ""\n    ? found',
  },
  {
    name: "lapsed-is-the-source",
    what: "what the target was to keep is the source's again, whoever changed it there",
    file: "src/engine/diff/three-way.ts",
    from: "const isKept = lapsedIn(now.row, now).length > 0;",
    to: "const isKept = lapsedIn(now.row, now).length < 0;",
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
    // Each way to a write asks whether there is any: what is not told of is seen by none of them.
    file: "src/model/translate.ts",
    from: '            (form === "urn" ? unresolved : loose).push(problem);',
    to: '            (form === "urn" && value === "" ? unresolved : loose).push(problem);',
  },
  {
    name: "recreated-without-looking",
    what: "what is gone is created again beside what somebody has made in its place",
    file: "src/engine/diff/identify.ts",
    from: '(plan.policy.missingTarget === "recreate" && isGone(node))',
    to: '(plan.policy.missingTarget === "recreate" && node.urn === "")',
  },
  {
    name: "anew-is-changed",
    what: "what refers to an object that is created anew counts as changed",
    file: "src/engine/diff/three-way.ts",
    from: "    source: isOwn ? false : isMoved,",
    // Neither where it stood before nor what the source says by itself is asked: each alone hides that the other is not.
    to: '    source: sourceMoved === "unknown" ? sourceMoved : source !== now.sourceFingerprint,',
  },
  {
    name: "users-tell-nothing",
    what: "namesakes are not told apart by who uses them",
    file: "src/engine/diff/tell-apart.ts",
    from: "  return estates.usersOf(thing).flatMap((user) => {",
    to: "  return estates.usersOf(thing).slice(0, 0).flatMap((user) => {",
  },
  {
    name: "depth-not-told",
    what: "what is nested too deep is compared and sent without its depth",
    file: "src/engine/diff/too-deep.ts",
    from: "  if (where === undefined) return undefined;",
    to: '  if (where !== "") return undefined;',
  },
  {
    name: "one-environment-accepted",
    what: "source and target may be one environment under two addresses",
    // Of the two looks each finds it alone.
    file: "src/operations/compare.ts",
    from:
      "  if (shared !== undefined) throw oneEnvironment(parties, shared);\n" +
      "  // A snapshot of before is applied without the source.\n" +
      "  const isAsked = reading.source instanceof Promise && plan.source.realm === plan.target.realm;\n",
    to: "  const isAsked = shared !== undefined && shared === null;\n",
  },
  {
    name: "kind-not-in-key",
    what: "an object goes by its id alone, whatever its kind",
    file: "src/model/mapping-table.ts",
    from: "    return this.#kinds.get(kind)?.entries.get(source);\n",
    to: "    return this.#kinds.get(kind)?.entries.get(source) ?? this.all(source)[0]?.entry;\n",
  },
];
