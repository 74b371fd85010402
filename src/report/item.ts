import type { AppliedChange } from "../model/change.ts";
import { waits } from "../model/change.ts";
import { display } from "../model/display.ts";
import { lookedUp } from "../model/packed/looked-up.ts";
import { shellWord } from "../model/shell-word.ts";
import { adviceFor, noteOf, personStates, stateOf, symbols } from "./states.ts";
import type { State } from "./states.ts";

/** One change as every format shows it. All text is safe for a terminal; each format escapes for itself. */
export interface Item {
  readonly id: string;
  readonly change: AppliedChange;
  readonly state: State;
  readonly symbol: string;
  /** `not started`, `begun, publish is left`, `withheld`, `create failed`. */
  readonly note: string | undefined;
  readonly kind: string;
  readonly name: string;
  /** The object that is written, or the one at the source while there is none. */
  readonly urn: string;
  readonly otherUrn: string | undefined;
  readonly reason: string;
  /** What a person can do; never empty for what needs one. */
  readonly steps: readonly string[];
  /** The same, as it holds for any object: `<source urn>` stands where `steps` has the URN. */
  readonly commonSteps: readonly string[];
  /** `monitors "Orders"`. */
  readonly pulledInBy: string | undefined;
  readonly dependsOn: readonly string[];
}

/** What an item is made of, when somebody looks at it. */
interface Behind {
  readonly change: AppliedChange;
  readonly state: State;
  readonly plan: string;
  readonly command: string | undefined;
}

/** There may be a million of them, of which a report shows some and counts the others: it is made when it is its turn. */
export function itemOf(change: AppliedChange, plan: string, command?: string): Item {
  return make({ change, state: stateOf(change), plan, command });
}

const fields = [
  "id",
  "change",
  "state",
  "symbol",
  "note",
  "kind",
  "name",
  "urn",
  "otherUrn",
  "reason",
  "steps",
  "commonSteps",
  "pulledInBy",
  "dependsOn",
] as const satisfies readonly (keyof Item)[];

/** Who asks one for a field asks it for others. */
let last: { readonly of: Behind; readonly item: Item } | undefined;

const make = lookedUp<Item, Behind>({
  names: () => fields,
  field(of, name) {
    if (name === "change" || name === "state") return of[name];
    if (name === "id") return of.change.id;
    if (name === "kind") return display(of.change.kind);
    if (last?.of !== of) last = { of, item: whole(of) };
    return Object.hasOwn(last.item, name) ? last.item[name as keyof Item] : undefined;
  },
});

function whole({ change, state, plan, command }: Behind): Item {
  const { source, target, pulledInBy } = change;
  const urn = target?.urn ?? source?.urn ?? change.id;
  const other = target === undefined ? undefined : source?.urn;
  const steps = stepsOf(change, state, plan, command);
  return {
    id: change.id,
    change,
    state,
    symbol: symbols[state],
    note: noteOf(change),
    kind: display(change.kind),
    name: nameOf(change),
    urn: display(urn),
    otherUrn: other === undefined || other === urn ? undefined : display(other),
    reason: display(reasonOf(change)),
    steps: source === undefined ? steps : steps.map((step) => filledIn(step, source.urn)),
    commonSteps: steps,
    pulledInBy: pulledInBy && display(`${pulledInBy.kind} "${pulledInBy.name}"`),
    dependsOn: [...new Set(change.dependsOn)].filter((id) => id !== change.id),
  };
}

/** Who reads an acknowledged one wants to know why it is, first. */
function reasonOf({ reason, acknowledged, action, outcome, diagnostics, records }: AppliedChange): string {
  // It is at the target: who reads that wants to know where, and no more why it was to be made. Of a table that is how many rows.
  if (outcome === "begun" && records === undefined) return diagnostics.at(-1)?.summary ?? reason;
  if (acknowledged === undefined) return reason;
  const until = acknowledged.until === undefined ? "" : `, until ${acknowledged.until}`;
  if (!waits(action)) return `${reason}; what waits of it is acknowledged: ${acknowledged.reason}${until}`;
  return `${acknowledged.reason}${until}; ${action}: ${reason}`;
}

function blank(text: string | undefined): text is undefined | "" {
  return text === undefined || text.trim() === "";
}

function nameOf(change: AppliedChange): string {
  const name = change.source?.name ?? change.target?.name ?? change.id;
  return name.trim() === "" ? "(no name)" : display(name);
}

/** A command is there to be copied. */
function filledIn(step: string, source: string): string {
  return step.replaceAll("<source urn>", () => shellWord(display(source)));
}

function stepsOf(
  change: AppliedChange,
  state: State,
  plan: string,
  command: string | undefined,
): readonly string[] {
  if (state === "acknowledged") return [];
  const named = change.diagnostics.flatMap((found) => (blank(found.suggestion) ? [] : [found.suggestion]));
  if (named.length > 0) return [...new Set(named)].map(display);
  return personStates.includes(state) ? [display(adviceFor(state, plan, command))] : [];
}
