import type { AppliedChange } from "../model/change.ts";
import { waits } from "../model/change.ts";
import { display } from "../model/display.ts";
import { lookedUpBy } from "../model/packed/looked-up.ts";
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
  /** The same, as it holds for any object: `<source urn>` stands where `steps` has the URN, and `each of them` in place of its name. */
  readonly commonSteps: readonly string[];
  /** `monitors "Orders"`. */
  readonly pulledInBy: string | undefined;
  readonly dependsOn: readonly string[];
}

/** What an item is made of, when somebody looks at it. */
interface Behind {
  readonly change: AppliedChange;
  readonly plan: string;
  readonly command: string | undefined;
  /** Once somebody has asked for it. */
  state?: State;
}

/**
 * There may be a million of them, of which a report shows some and counts the others, and which are gone through a dozen times
 * for a field or two each: a field is made when it is asked for.
 */
export function itemOf(change: AppliedChange, plan: string, command?: string): Item {
  return make({ change, plan, command });
}

const tellers: { readonly [Name in keyof Item]-?: (of: Behind) => Item[Name] } = {
  id: ({ change }) => change.id,
  change: ({ change }) => change,
  state: knownState,
  symbol: (of) => symbols[knownState(of)],
  note: ({ change }) => noteOf(change),
  kind: ({ change }) => display(change.kind),
  name: ({ change }) => nameOf(change),
  urn: ({ change }) => display(urnOf(change)),
  otherUrn({ change }) {
    const other = change.target === undefined ? undefined : change.source?.urn;
    return other === undefined || other === urnOf(change) ? undefined : display(other);
  },
  reason: ({ change }) => display(reasonOf(change)),
  steps(of) {
    const { source } = of.change;
    const steps = stepsOf(of);
    return source === undefined ? steps : steps.map((step) => filledIn(step, source.urn));
  },
  commonSteps(of) {
    const { source } = of.change;
    const own = `${display(of.change.kind)} "${nameOf(of.change)}"`;
    return stepsOf(of).map((step) => {
      const named = step.replaceAll(own, "each of them");
      return blank(source?.urn) ? named : named.replaceAll(display(source?.urn ?? ""), "<source urn>");
    });
  },
  pulledInBy: ({ change: { pulledInBy } }) =>
    pulledInBy && display(`${pulledInBy.kind} "${pulledInBy.name}"`),
  dependsOn({ change }) {
    const { id, dependsOn } = change;
    return dependsOn.length === 0 ? dependsOn : [...new Set(dependsOn)].filter((other) => other !== id);
  },
};

const make = lookedUpBy<Item, Behind>(tellers);

function knownState(of: Behind): State {
  return (of.state ??= stateOf(of.change));
}

function urnOf({ source, target, id }: AppliedChange): string {
  return target?.urn ?? source?.urn ?? id;
}

/** Who reads an acknowledged one wants to know why it is, first. */
function reasonOf(change: AppliedChange): string {
  const { reason, acknowledged, outcome } = change;
  // It is at the target: who reads that wants to know where, and no more why it was to be made. Of a table that is how many rows.
  if (outcome === "begun" && change.records === undefined)
    return change.diagnostics.at(-1)?.summary ?? reason;
  if (acknowledged === undefined) return reason;
  const { action } = change;
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

function stepsOf(of: Behind): readonly string[] {
  const state = knownState(of);
  if (state === "acknowledged") return [];
  const named = of.change.diagnostics.flatMap((found) => (blank(found.suggestion) ? [] : [found.suggestion]));
  if (named.length > 0) return [...new Set(named)].map(display);
  return personStates.includes(state) ? [display(adviceFor(state, of.plan, of.command))] : [];
}
