import type { Action, AppliedChange } from "../model/change.ts";
import { display } from "../model/display.ts";
import { mapped, selectedBy, Selection } from "../model/packed/listed.ts";
import { TextNumbers } from "../model/packed/numbers.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { severities } from "../model/diagnostic.ts";
import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { plural } from "../model/plural.ts";
import { byCause } from "./causes.ts";
import type { Person } from "./causes.ts";
import { headlineOf, toneOf } from "./headline.ts";
import type { Tone } from "./headline.ts";
import { itemOf } from "./item.ts";
import type { Item } from "./item.ts";
import { together } from "./together.ts";
import { orderKinds } from "./kinds.ts";
import { labels, personStates, states } from "./states.ts";
import type { State } from "./states.ts";

/** What every format shows, in the order in which they show it: they differ in form only. */
export interface View {
  readonly result: Result;
  /** `dev -> prod`; absent where a command knows no environments. */
  readonly route: string | undefined;
  readonly tone: Tone;
  readonly headline: string;
  /** Those that are not zero. */
  readonly counts: readonly Count[];
  /** A line each: what the changes do at the target that must not be read past. */
  readonly consequences: readonly ConsequenceLine[];
  /** Kinds that occur, what is depended upon first. */
  readonly kinds: readonly string[];
  /** Create, update, replace, adopt. */
  readonly sections: readonly Section[];
  readonly person: Section;
  /** The same objects, those that share a cause together. */
  readonly byCause: Person;
  /** What a person knows of and accepts. */
  readonly acknowledged: Section;
  readonly deletes: Section;
  /** About the run as a whole. */
  readonly diagnostics: readonly Diagnostic[];
  /** The same but for what stands with the consequences already. */
  readonly notes: readonly Diagnostic[];
  readonly cost: string;
  readonly next: readonly string[];
  /** By id, to follow dependencies. */
  readonly items: Pick<ReadonlyMap<string, Item>, "size" | "has" | "values">;
}

export interface Count {
  readonly state: State;
  readonly label: string;
  readonly value: number;
}

export interface ConsequenceLine {
  /** `at prod 31 schedules start running at once`. */
  readonly text: string;
  /** `monitors "Orders", monitors "Stock" and 29 more`. */
  readonly names: string;
}

export interface Section {
  readonly key: Action | "person" | "acknowledged";
  readonly title: string;
  readonly items: readonly Item[];
}

const plainActions = ["create", "update", "replace", "adopt"] as const;
/** The result that is being written in several formats. */
let shared: { readonly result: Result; view?: View } | undefined;

export function viewOf(result: Result): View {
  if (shared?.result !== result) return made(result);
  return (shared.view ??= made(result));
}

/** What all formats show of the result is made out once as long as this lasts; nobody changes a result. */
export async function sharingView<T>(result: Result, write: () => Promise<T>): Promise<T> {
  const mine = { result };
  shared = mine;
  try {
    return await write();
  } finally {
    if (shared === mine) shared = undefined;
  }
}

function made(result: Result): View {
  const places = new TextNumbers();
  /** Of each that is shown, the place of its change. */
  const shown = new Selection();
  for (const [at, { id, action }] of result.changes.entries()) {
    if (action === "unchanged") continue;
    const place = places.get(id) ?? shown.length;
    places.set(id, place);
    shown.put(place, at);
  }
  const items = mapped(shown.of(result.changes), (change) => itemOf(change, result.plan, result.command));
  const kinds = orderKinds(result.changes);
  const byState = inOrder(items, kinds);
  const inState = (state: State): readonly Item[] => byState.get(state)?.of(items) ?? [];
  const deletes = inState("delete");
  const waiting = personStates.flatMap(inState);
  const diagnostics = together(result.diagnostics).toSorted(
    (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity),
  );
  return {
    result,
    route: result.source && result.target && display(`${result.source.name} -> ${result.target.name}`),
    tone: toneOf(result),
    headline: display(result.headline ?? headlineOf(result.summary)),
    counts: countsOf(result, items),
    consequences: consequenceLines(result),
    kinds,
    sections: plainActions.map((key) => ({
      key,
      title: title(labels[key]),
      items: inState(key),
    })),
    person: {
      key: "person",
      title: "Needs a person",
      items: waiting,
    },
    byCause: byCause(waiting),
    acknowledged: {
      key: "acknowledged",
      title: "Acknowledged",
      items: inState("acknowledged"),
    },
    deletes: { key: "delete", title: deleteTitle(deletes), items: deletes },
    diagnostics,
    notes: diagnostics.filter(({ code }) => !standsAbove(code)),
    cost: costOf(result),
    next: (result.next ?? []).map(display),
    items: {
      size: items.length,
      has: (id) => places.get(id) !== undefined,
      values: () => items.values(),
    },
  };
}

/**
 * The summary counts what the diff decided, so a create that failed counts as both, and is listed as failed. A
 * create that another failure blocked is not in `blocked` there: the larger number is the one that hides nothing.
 */
function countsOf(result: Result, items: readonly Item[]): readonly Count[] {
  const listed = new Map<State, number>();
  const count = (state: State): void => {
    listed.set(state, (listed.get(state) ?? 0) + 1);
  };
  for (const { state, change } of items) {
    // A table is none of the objects: its rows are in the summary.
    if (change.records !== undefined) continue;
    count(state);
    // What is acknowledged is no longer counted as what it would wait for.
    if (state !== "acknowledged" && change.action !== state) count(change.action);
  }
  return states
    .map((state) => ({
      state,
      label: labels[state],
      value: Math.max(result.summary[state], listed.get(state) ?? 0),
    }))
    .filter(({ value }) => value > 0);
}

/** What is told with the consequences, and not once more among what is said of the run. */
function standsAbove(code: string): boolean {
  return code === "creates-in-brief";
}

export function consequenceLines(result: Result): readonly ConsequenceLine[] {
  const { consequences = [], diagnostics, target } = result;
  const at = target === undefined ? "" : `at ${display(target.name)} `;
  // Whoever approves must know what has not been shown, before he answers and without unfolding anything.
  const unseen = diagnostics.filter(({ code }) => standsAbove(code));
  const hidden = unseen.map(({ summary, detail = "" }) => ({
    text: display(summary),
    names: display(detail),
  }));
  const told = consequences.map(({ text, names, others = 0 }) => {
    const more = others > 0 ? ` and ${others.toLocaleString("en")} more` : "";
    return { text: `${at}${display(text)}`, names: `${names.map(display).join(", ")}${more}` };
  });
  return [...told, ...hidden];
}

/** By state, those of the kinds in their order, and of each kind as they came. */
function inOrder(items: readonly Item[], kinds: readonly string[]): ReadonlyMap<State, Selection> {
  const byKind = selectedBy(items, ({ change }) => change.kind);
  const places = kinds.values().flatMap((kind) => byKind.get(kind)?.values() ?? []);
  return selectedBy(items, ({ state }) => state, places);
}

function deleteTitle(items: readonly Item[]): string {
  const all = (outcome: AppliedChange["outcome"]): boolean =>
    items.length > 0 && items.every((item) => item.change.outcome === outcome);
  if (all("done")) return "Deleted";
  return all("withheld") ? "Deletes withheld" : "Deletes";
}

function costOf(result: Result): string {
  const { source, target } = result.requests;
  // Who has mistyped something knows that nothing was sent.
  if (source.reads + target.reads + target.writes === 0)
    return result.exitCode === exitCodes.usage
      ? ""
      : `Nothing read or written, in ${duration(result.durationMs)}`;
  const reads = `${plural(source.reads, "read")} at the source, ${plural(target.reads, "read")}`;
  return `${reads} and ${plural(target.writes, "write")} at the target, in ${duration(result.durationMs)}`;
}

export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

function title(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}
