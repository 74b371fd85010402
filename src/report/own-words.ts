import { isConsequence } from "../model/consequences.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { display } from "../model/display.ts";
import type { Item } from "./item.ts";

/**
 * What is said of one object beyond why it is changed, and what the consequences do not tell of all of them: a reference that is left
 * out, say. Whoever approves must not take such a change for a plain one.
 */
export function ownWords({ change, reason }: Pick<Item, "change" | "reason">): readonly Diagnostic[] {
  return change.diagnostics.filter(
    (found) => found.severity !== "info" && !isConsequence(found.code) && !isSaid(found, reason),
  );
}

/** Whether the reason says it already; that of what is acknowledged begins with why it may stay so. */
export function isSaid({ summary }: Pick<Diagnostic, "summary">, reason: string): boolean {
  return reason.endsWith(display(summary));
}
