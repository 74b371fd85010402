import type { Change } from "../../model/change.ts";
import { memberField } from "../../model/fields.ts";
import { components } from "../../model/graph.ts";
import type { JsonObject } from "../../model/json.ts";
import { isObject } from "../../model/json.ts";
import type { ChangeList } from "../../model/packed/change-list.ts";
import { strip } from "../../model/shape.ts";
import { translate } from "../../model/translate.ts";
import type { Context, Draft } from "./draft.ts";
import type { DiffInput } from "./input.ts";
import type { Node } from "./node.ts";
import type { Resolver } from "./resolver.ts";

/** What waits for others, or has a part that comes later; with its place among all that was decided. */
export interface OpenDraft extends Draft {
  readonly place: number;
}

/** Whether it is to be looked at once all is known; of most objects nothing is kept but their change. */
export function staysOpen({ node, change, waitsFor }: Draft): boolean {
  return waitsFor.size > 0 || isParted(node, change);
}

/**
 * Objects that wait for each other in a circle are created without the fields that close it, and patched when all
 * of them exist. What was decided gets its dependencies; returns those whose circle cannot be broken, and why.
 */
export function breakCycles(
  decided: ChangeList<Change>,
  open: readonly OpenDraft[],
  { input, resolver, changes }: Pick<Context, "input" | "resolver" | "changes">,
  /** The id of the change that what is named by this URN waits for. */
  id: (urn: string) => string,
): ReadonlyMap<string, string> {
  // What waits for nobody is in no circle.
  const waiting = open.filter(({ waitsFor }) => waitsFor.size > 0);
  const isWaiting = new Set(waiting.map(({ change }) => change.id));
  const circlesAmong = (some: readonly Pick<Draft, "change" | "waitsFor">[]): Circles =>
    circlesOf(
      new Map(
        some.map(({ change, waitsFor }) => [
          change.id,
          [...waitsFor].map(id).filter((other) => isWaiting.has(other)),
        ]),
      ),
    );
  const circleOf = circlesAmong(waiting);
  /** In a circle, with what it still waits for when all that can wait does. */
  const held: (Pick<Draft, "change" | "waitsFor"> & { readonly stuck: string })[] = [];
  const unbreakable = new Map<string, string>();
  for (const draft of open) {
    const circle = circleOf.get(draft.change.id);
    if ((circle === undefined || draft.change.action !== "create") && !isParted(draft.node, draft.change)) {
      decided.set(draft.place, changes.keep({ ...draft.change, dependsOn: [...draft.waitsFor].map(id) }));
      continue;
    }
    const { deferred, waitsFor, stuck } = withoutCircle(
      draft,
      (urn) => circle?.has(id(urn)) === true,
      input,
      resolver,
    );
    if (stuck !== undefined) held.push({ change: draft.change, waitsFor, stuck });
    const later = [...draft.waitsFor].filter((urn) => !waitsFor.has(urn));
    const parted = changes.keep({
      ...draft.change,
      dependsOn: [...waitsFor].map(id),
      work: { ...draft.change.work, deferred, deferredOn: later.map(id) },
    });
    decided.set(draft.place, parted);
  }
  // A field that cannot wait closes no circle that another one's field has opened: a child whose parent names it.
  const still = circlesAmong(held);
  for (const { change, stuck } of held) if (still.has(change.id)) unbreakable.set(change.id, stuck);
  return unbreakable;
}

type Circles = ReadonlyMap<string, ReadonlySet<string>>;

/** The circle of each that is in one. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): Circles {
  const circleOf = new Map<string, ReadonlySet<string>>();
  for (const component of components(graph)) {
    const [only] = component;
    const alone = component.length === 1 && only !== undefined && graph.get(only)?.includes(only) !== true;
    if (alone) continue;
    const circle = new Set(component);
    for (const member of component) circleOf.set(member, circle);
  }
  return circleOf;
}

function withoutCircle(
  { node }: Draft,
  closesCircle: (urn: string) => boolean,
  input: DiffInput,
  resolver: Resolver,
): { deferred: readonly string[]; waitsFor: ReadonlySet<string>; stuck: string | undefined } {
  const body = strip(input.source.body(node.kind.name, node.urn), node.kind.shape);
  const deferred: string[] = [];
  const waitsFor = new Set<string>();
  let stuck: string | undefined;
  const { deferrable = [], later = [], memberwise = [] } = node.kind.shape;
  const look = (name: string, part: JsonObject, mayWait: boolean): void => {
    const { pending } = translate(part, resolver.lookup({}));
    const closes = [...pending].some(closesCircle);
    if (mayWait && (closes || later.includes(name))) {
      deferred.push(name);
      return;
    }
    if (closes) stuck = name;
    for (const urn of pending) waitsFor.add(urn);
  };
  for (const [field, value] of Object.entries(body)) {
    // Of a map whose members can be patched one by one, only those that close the circle wait.
    const byMember = memberwise.includes(field) && deferrable.includes(field) && !later.includes(field);
    if (!byMember || !isObject(value)) {
      look(field, { [field]: value }, deferrable.includes(field) || later.includes(field));
      continue;
    }
    for (const [member, part] of Object.entries(value))
      look(memberField(field, member), { [member]: part }, true);
  }
  return { deferred, waitsFor, stuck };
}

/** It is made, and some fields of its kind are always patched after that. */
function isParted({ kind }: Node, change: Change): boolean {
  return kind.shape.later !== undefined && isMade(change);
}

/** Something new comes of it. */
function isMade({ action, work }: Change): boolean {
  return (action === "create" || action === "replace") && work?.unfinished === undefined;
}
