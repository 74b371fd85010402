import type { AppliedChange, Change, FieldChange } from "../../model/change.ts";
import { stableText } from "../../model/canonical.ts";
import { shorten } from "../../model/display.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { isFormOf } from "../../model/value-form.ts";

/** An object that shows what a run has just sent in a form of the service's own. */
export interface KeptOtherwise {
  readonly id: string;
  readonly kind: string;
  /** URN at the source. */
  readonly source: string;
  /** Print of what the target shows. */
  readonly targetFingerprint: string;
  readonly told: Diagnostic;
}

/**
 * Of what reading back shows to be otherwise, what this run itself has brought there, and the service keeps in a form of its own: trimmed,
 * shortened, in other letters, rounded (`model/value-form.ts`). From now on that is what the target was brought to, and no word of
 * somebody else: it would be drift in every run, and a conflict with the source's next word. Whoever has changed it to just such a form
 * since it was sent cannot be told from that (README). What it has not sent is nobody's form.
 */
export function keptOtherwise(
  changes: readonly Change[],
  reported: readonly AppliedChange[],
): readonly KeptOtherwise[] {
  const brought = new Map(reported.filter(isBrought).map((change) => [change.id, change]));
  return changes.flatMap(({ id, kind, action, source, fields, work }): readonly KeptOtherwise[] => {
    const before = brought.get(id);
    const print = work?.targetFingerprint;
    if (action !== "drift" || before === undefined || source === undefined || print === undefined) return [];
    if (
      fields.length === 0 ||
      !fields.every((field) => isSent(field, before) && isKept(field, before.fields))
    )
      return [];
    const coordinate = { kind, urn: source.urn, name: source.name };
    const told: Diagnostic = { ...keptOtherwiseNote(fields), coordinate };
    return [{ id, kind, source: source.urn, targetFingerprint: print, told }];
  });
}

/** `from`: as the target shows it; `to`: as it was sent. */
export function keptOtherwiseNote(
  fields: readonly Pick<FieldChange, "path" | "from" | "to">[],
): Omit<Diagnostic, "coordinate"> {
  const more = fields.length > most ? ` (and ${fields.length - most} more)` : "";
  const shown = fields.slice(0, most).map(inWords).join("; ");
  const summary = `the target keeps it in a form of its own: ${shown}${more}`;
  return { severity: "warning", code: "kept-otherwise", summary };
}

/** Fields that are told of one object. */
const most = 3;

const writes: ReadonlySet<string> = new Set(["create", "update", "replace"]);

function isBrought({ action, outcome }: AppliedChange): boolean {
  return writes.has(action) && outcome === "done";
}

/** Who sends one field has brought nothing else there: a form of that is somebody's. Of what is made, all is sent. */
function isSent({ path }: FieldChange, { action, fields }: AppliedChange): boolean {
  if (action !== "update" || fields.length === 0) return true;
  const [top, ...below] = path.split("/").slice(1);
  return fields.some((sent) => {
    const [sentTop, ...sentBelow] = sent.path.split("/").slice(1);
    // Parts go by labels, which a form of their names changes.
    const mayBePart = top === sentTop && Math.max(below.length, sentBelow.length) > 1;
    return path === sent.path || mayBePart;
  });
}

/** What was there before is no form: nobody would see that what was sent has not come, or is gone again. */
function isKept({ path, from, to }: FieldChange, sent: readonly FieldChange[]): boolean {
  const before = sent.find((field) => field.path === path);
  const isAsBefore = before?.from !== undefined && stableText(before.from) === stableText(from ?? null);
  return !isAsBefore && isFormOf(from, to);
}

function inWords({ path, from, to }: Pick<FieldChange, "path" | "from" | "to">): string {
  const [shown, sent] = [from, to].map((value) => shorten(stableText(value ?? null), 60));
  return `${path} is ${shown} and was sent as ${sent}`;
}
