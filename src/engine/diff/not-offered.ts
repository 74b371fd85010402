import type { Absent, MovedKind } from "../../kinds/kind.ts";
import type { FieldChange } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Context, Draft } from "./draft.ts";
import { draft, note } from "./draft.ts";
import type { DiffInput } from "./input.ts";
import type { Node } from "./node.ts";

/** The step that changes one, and whether the target was seen not to have it: what the documents show is there, and only what is in none of them (`isInferred`) may not be. */
export function isOffered(kind: MovedKind, { notOffered }: DiffInput): boolean {
  const changing = kind.update?.find(({ effect }) => effect === "changes");
  if (changing === undefined) return false;
  const mayBeAbsent = changing.isInferred === true || changing.ifAbsent !== undefined;
  return !(mayBeAbsent && notOffered?.has(`${kind.name}/${changing.name}`) === true);
}

/** An interface that is in no document is not there: one cause for all that would have needed it. */
export function absent(node: Node, context: Context, fields: readonly FieldChange[]): Draft | undefined {
  const ifAbsent = node.kind.update?.find(({ effect }) => effect === "changes")?.ifAbsent;
  if (ifAbsent === undefined || isOffered(node.kind, context.input)) return undefined;
  const { code, reason } = ifAbsent;
  const suggestion = `${ifAbsent.suggestion} ${triedAgain(context.input)}`;
  const told = { ...note(node, code, reason, suggestion), cause: { ...causeOf(ifAbsent), suggestion } };
  return draft(node, "manual", context, { reason, fields, diagnostics: [told] });
}

/** What was seen once is not true for ever. */
export function triedAgain({ plan }: Pick<DiffInput, "plan">): string {
  return `If the service offers it by now, run \`ferry doctor ${plan.name}\`: it is tried again then.`;
}

export function causeOf({ code, reason, suggestion }: Absent): NonNullable<Diagnostic["cause"]> {
  return { key: code, summary: reason, suggestion };
}
