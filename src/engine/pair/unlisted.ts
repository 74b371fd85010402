import type { GivenKind } from "../../kinds/kind.ts";
import type { Cause } from "../../model/diagnostic.ts";
import { shellWord } from "../../model/shell-word.ts";

/** A kind of which nobody knows what there is on one side: its list was refused. */
export interface Unlisted {
  readonly kind: string;
  /** A clause: `what transformations there are at the target is not known: GET ... refused (400)`. */
  readonly reason: string;
  readonly suggestion: string;
  /** One for all that it blocks. */
  readonly cause: Cause;
}

export function unlisted({ name }: GivenKind, side: "source" | "target", refusal: string): Unlisted {
  const summary = `what ${name.replaceAll("-", " ")} there are at the ${side} is not known`;
  const suggestion =
    "Run again when they can be listed, or pair them by hand: `ferry mappings PLAN set <source urn> <target urn>`";
  return {
    kind: name,
    reason: `${summary}: ${refusal}`,
    suggestion,
    cause: { key: `not-known ${name} ${side}`, summary, detail: refusal, suggestion },
  };
}

/** The suggestion for one of them. */
export function suggestionFor({ suggestion }: Unlisted, urn: string): string {
  return suggestion.replace("<source urn>", () => shellWord(urn));
}
