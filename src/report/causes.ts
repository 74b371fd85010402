import { display } from "../model/display.ts";
import type { Item } from "./item.ts";
import { labels, personStates } from "./states.ts";
import type { State } from "./states.ts";

/** Objects that one thing keeps from being moved: the cause is read once, and mended once. */
export interface CauseGroup {
  /** The most pressing of its objects'. */
  readonly state: State;
  /** What is behind all of them. */
  readonly summary: string;
  readonly detail: string | undefined;
  readonly steps: readonly string[];
  readonly items: readonly Item[];
}

export interface Person {
  /** The largest first. */
  readonly causes: readonly CauseGroup[];
  /** What stands alone, in the order it came in. */
  readonly single: readonly Item[];
}

/** From so many alike on, a line for each would say the same thing over and over. */
const fewest = 3;
/** Drift, conflicts and doubts are decided one by one: their fields differ. */
const shareable: ReadonlySet<State> = new Set(["failed", "blocked", "manual"]);

interface Known {
  readonly key: string;
  readonly summary: string;
  readonly detail?: string | undefined;
  readonly suggestion?: string | undefined;
}

/** Each object stands under the cause that it shares with the most others. */
export function byCause(items: readonly Item[]): Person {
  const causes = new Map(items.map((item) => [item, causesOf(item)]));
  const sizes = new Map<string, number>();
  for (const known of causes.values()) {
    for (const { key } of known) sizes.set(key, (sizes.get(key) ?? 0) + 1);
  }
  const groups = new Map<string, { readonly cause: Known; readonly items: Item[] }>();
  for (const [item, known] of causes) {
    const [cause] = known.toSorted((a, b) => (sizes.get(b.key) ?? 0) - (sizes.get(a.key) ?? 0));
    if (cause === undefined) continue;
    const group = groups.get(cause.key);
    if (group === undefined) groups.set(cause.key, { cause, items: [item] });
    else group.items.push(item);
  }
  const shared = [...groups.values()].filter((group) => group.items.length >= fewest);
  const grouped = new Set(shared.flatMap((group) => group.items));
  return {
    causes: shared
      .toSorted((a, b) => b.items.length - a.items.length)
      .map(({ cause, items: own }) => ({
        state: personStates.find((state) => own.some((item) => item.state === state)) ?? "blocked",
        summary: display(cause.summary),
        detail: cause.detail === undefined ? undefined : display(cause.detail),
        steps: cause.suggestion === undefined ? stepsFor(own) : [display(cause.suggestion)],
        items: own,
      })),
    single: items.filter((item) => !grouped.has(item)),
  };
}

/** What one is advised with its own name and URN is no advice for the others. */
function stepsFor(items: readonly Item[]): readonly string[] {
  const [first, ...others] = items;
  if (first === undefined) return [];
  const common = first.commonSteps;
  const text = JSON.stringify(common);
  if (others.every((item) => JSON.stringify(item.commonSteps) === text)) return common;
  return first.steps.map((step) => `For ${first.kind} "${first.name}", for example: ${step}`);
}

/** `214 objects blocked`, `50 rules manual`, `89 objects: 84 blocked, 5 manual`. */
export function sizeOf({ items }: CauseGroup): string {
  const kinds = new Set(items.map(({ kind }) => kind));
  const [only] = kinds;
  const what = kinds.size === 1 && only !== undefined ? only : "objects";
  const byState = [...Map.groupBy(items, ({ state }) => state)];
  const count = (value: number): string => value.toLocaleString("en");
  const states = byState.map(([state, own]) => `${count(own.length)} ${labels[state]}`).join(", ");
  const [first] = byState;
  return byState.length === 1 && first !== undefined
    ? `${count(items.length)} ${what} ${labels[first[0]]}`
    : `${count(items.length)} ${what} (${states})`;
}

/** The objects of a group by kind, in the order in which kinds come. */
export function byKind({ items }: CauseGroup): ReadonlyMap<string, readonly Item[]> {
  return Map.groupBy(items, ({ kind }) => kind);
}

function causesOf(item: Item): readonly Known[] {
  if (!shareable.has(item.state)) return [];
  const found = new Map<string, Known>();
  for (const { cause } of item.change.diagnostics) {
    if (cause !== undefined) found.set(cause.key, cause);
  }
  if (found.size > 0) return [...found.values()];
  // What has fields to look at is worth a look of its own.
  if (item.change.fields.length > 0 && item.state === "manual") return [];
  // What failed is said once; who waited for it, and for those, and so on, is one line beneath it.
  if (item.change.outcome === "blocked")
    return [
      {
        key: JSON.stringify(["waits", item.change.action]),
        summary: "it waits for what failed, or was blocked itself",
        detail: "For what each one waits is told with it: in --format html, in --json, or with -v.",
      },
    ];
  const [first] = item.change.diagnostics;
  // Of what was not done, what came of it says why; its reason says why it was to be done.
  const said = item.change.outcome === undefined ? undefined : item.change.diagnostics.at(-1)?.summary;
  const summary = said ?? item.reason;
  return [{ key: JSON.stringify([item.state, first?.code ?? "", summary]), summary }];
}
