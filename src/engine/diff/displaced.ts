import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { idOfOld } from "../../model/change.ts";
import { fingerprint } from "../../model/canonical.ts";
import { keyText } from "../../model/key.ts";
import { strip } from "../../model/shape.ts";
import { removeStep } from "../facets/steps.ts";
import { selectsItself } from "../read/selection.ts";
import type { DiffInput } from "./input.ts";
import type { Nodes } from "./node.ts";

/**
 * What a run has made new objects in the place of, and died before it deleted that: it has no row in the mapping any more, and the journal
 * alone tells of it, until a run has come to its end. `taken`: ids of what gives way to another new object in this very run.
 */
export function displaced(
  { displaced: all = [], registry, mapping, plan, target: { snapshot } }: DiffInput,
  { find }: Pick<Nodes, "find">,
  taken: ReadonlySet<string>,
): readonly Change[] {
  return all.flatMap(({ kind: name, source, entry }): readonly Change[] => {
    const kind = registry.movedKind(name);
    const { target: old, targetFingerprint: was } = entry;
    if (kind === undefined || !snapshot.has(name, old) || mapping.claimedBy(old) !== undefined) return [];
    if (mapping.targetOf(name, source) === undefined || removeStep(kind) === undefined) return [];
    const { selectedAs } = kind;
    const isSelected =
      find(keyText(name, source))?.selected ??
      selectsItself(plan.select)({ selectedAs, urn: source, name: entry.name });
    const id = idOfOld(keyText(name, source));
    const named = { urn: old, name: snapshot.name(name, old) };
    const now = fingerprint(strip(snapshot.body(name, old), kind.shape), kind.shape);
    const change = deletionOfOld({
      id: taken.has(id) ? idOfOld(keyText(name, old)) : id,
      kind: name,
      old: named,
      print: now,
    });
    if (now === was && isSelected) return [change];
    const why = isSelected ? "it was changed at the target since" : "this run does not select it";
    const reason = `a new object has taken its place, and ${why}`;
    const { work: _work, ...rest } = change;
    const told = oldOneLeft("error", { kind: name, ...named }, reason);
    return [{ ...rest, action: "manual", reason, diagnostics: [told] }];
  });
}

/** Something is there still that another object has taken the place of, and no run deletes it. */
export function oldOneLeft(
  severity: Diagnostic["severity"],
  coordinate: Diagnostic["coordinate"] & object,
  summary: string,
): Diagnostic {
  const suggestion = "Look whether it is needed still, and delete it by hand if it is not.";
  return { severity, code: "old-one-left", coordinate, summary, suggestion };
}

/** `print`: what it is at the target, where that is known. */
export function deletionOfOld({
  id,
  kind,
  old,
  print,
}: {
  readonly id: string;
  readonly kind: string;
  readonly old: NonNullable<Change["target"]>;
  readonly print: string | undefined;
}): Change {
  return {
    id,
    action: "delete",
    kind,
    // It has no row in the mapping any more: the new object has taken it.
    source: old,
    target: old,
    reason: "a new object takes its place",
    fields: [],
    diagnostics: [],
    dependsOn: [],
    ...(print === undefined ? {} : { work: { targetFingerprint: print } }),
  };
}
