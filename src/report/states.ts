import type { AppliedChange } from "../model/change.ts";
import { waits } from "../model/change.ts";
import type { Summary } from "../model/result.ts";
import { shellWord } from "../model/shell-word.ts";

/** What a reader is told about a change: its action, unless apply had another end for it. */
export type State = keyof Summary;

/** The order in which counts are named everywhere. */
export const states: readonly State[] = [
  "create",
  "update",
  "replace",
  "adopt",
  "delete",
  "unchanged",
  "failed",
  "inDoubt",
  "conflict",
  "drift",
  "blocked",
  "manual",
  "acknowledged",
];

/** What waits for a person, the most pressing first. */
export const personStates: readonly State[] = ["failed", "inDoubt", "conflict", "drift", "blocked", "manual"];

export const labels: Readonly<Record<State, string>> = {
  create: "create",
  update: "update",
  replace: "replace",
  adopt: "adopt",
  delete: "delete",
  unchanged: "unchanged",
  blocked: "blocked",
  manual: "manual",
  drift: "drift",
  conflict: "conflict",
  failed: "failed",
  inDoubt: "in doubt",
  acknowledged: "acknowledged",
};

/** ASCII, so that it survives every terminal, log and font. */
export const symbols: Readonly<Record<State, string>> = {
  create: "+",
  update: "~",
  replace: "-/+",
  adopt: "=",
  delete: "-",
  unchanged: " ",
  blocked: "!",
  manual: "!",
  drift: "!",
  conflict: "!",
  failed: "x",
  inDoubt: "?",
  acknowledged: "=",
};

const ends: Readonly<Record<NonNullable<AppliedChange["outcome"]>, State | undefined>> = {
  done: undefined,
  failed: "failed",
  blocked: "blocked",
  "in-doubt": "inDoubt",
  withheld: undefined,
  begun: undefined,
  "not-started": undefined,
};

interface Told {
  readonly action: AppliedChange["action"];
  readonly outcome?: AppliedChange["outcome"] | undefined;
  readonly acknowledged?: AppliedChange["acknowledged"] | undefined;
}

export function stateOf({ action, outcome, acknowledged }: Told): State {
  const end = outcome === undefined ? undefined : ends[outcome];
  // A table may have rows that are written beside those that wait.
  const isKnown = acknowledged !== undefined && waits(action);
  return end ?? (isKnown ? "acknowledged" : action);
}

/** Said beside a change that did not simply happen. Each field is looked up, so each is asked for once. */
export function noteOf(change: AppliedChange): string | undefined {
  const { action, outcome, acknowledged } = change;
  if (outcome === "withheld") return "withheld";
  if (outcome === "not-started") return "not started";
  if (outcome === "begun") return change.left === undefined ? "begun" : `begun, ${change.left} is left`;
  const state = stateOf({ action, outcome, acknowledged });
  return state === action ? undefined : `${labels[action]} ${labels[state]}`;
}

const goesOnByItself: ReadonlySet<string> = new Set(["rollback", "sync"]);

/** The step that helps when no diagnostic names a better one. */
export function adviceFor(state: State, planName: string, command = "apply"): string {
  const plan = shellWord(planName);
  switch (state) {
    case "failed":
      return `mend what the reason names, then run ferry ${goesOnByItself.has(command) ? command : "apply"} ${plan} again, with the flags of this run: it continues`;
    case "inDoubt":
      return `ferry resolve ${plan}`;
    case "conflict":
      return "decide which side holds; policy conflict: source-wins takes the source";
    case "drift":
      return "take the target's change over at the source; or policy drift: overwrite discards it";
    case "blocked":
      return `mend what the reason names, then run ferry diff ${plan} again`;
    case "manual":
      return "do this step by hand; this tool cannot do it";
    default:
      return "";
  }
}
