import { memberField } from "../../model/fields.ts";
import { components } from "../../model/graph.ts";
import type { JsonObject } from "../../model/json.ts";
import { isObject } from "../../model/json.ts";
import { TextNumbers } from "../../model/packed/numbers.ts";
import type { Changes } from "../../model/packed/changes.ts";
import { strip } from "../../model/shape.ts";
import { translate } from "../../model/translate.ts";
import { keyText } from "../../model/key.ts";
import type { Draft } from "./draft.ts";
import type { DiffInput } from "./input.ts";
import type { Resolver } from "./resolver.ts";

/**
 * Objects that wait for each other in a circle are created without the fields that close it, and patched when all
 * of them exist. Returns the drafts with their dependencies, and those whose circle cannot be broken.
 */
export function breakCycles(
  drafts: readonly Draft[],
  input: DiffInput,
  resolver: Resolver,
  changes: Changes,
): { readonly drafts: readonly Draft[]; readonly unbreakable: ReadonlyMap<string, string> } {
  const { registry } = input;
  /** What others wait for is named by its URN, and only what owns it is waited for. */
  const places = new TextNumbers();
  for (const [place, { node }] of drafts.entries())
    if (registry.owns(node.kind.name)) places.set(node.urn, place);
  const id = (urn: string): string => drafts[places.get(urn) ?? -1]?.change.id ?? keyText("unknown", urn);
  // What waits for nobody is in no circle.
  const waiting = drafts.filter(({ waitsFor }) => waitsFor.size > 0);
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
  const result = drafts.map((draft) => {
    const circle = circleOf.get(draft.change.id);
    const isParted = draft.node.kind.shape.later !== undefined && isMade(draft.change);
    if (draft.waitsFor.size === 0 && !isParted) return draft;
    if ((circle === undefined || draft.change.action !== "create") && !isParted) {
      return { ...draft, change: changes.keep({ ...draft.change, dependsOn: [...draft.waitsFor].map(id) }) };
    }
    const { deferred, waitsFor, stuck } = withoutCircle(
      draft,
      (urn) => circle?.has(id(urn)) === true,
      input,
      resolver,
    );
    if (stuck !== undefined) held.push({ change: draft.change, waitsFor, stuck });
    const later = [...draft.waitsFor].filter((urn) => !waitsFor.has(urn));
    return {
      ...draft,
      change: changes.keep({
        ...draft.change,
        dependsOn: [...waitsFor].map(id),
        work: { ...draft.change.work, deferred, deferredOn: later.map(id) },
      }),
    };
  });
  // A field that cannot wait closes no circle that another one's field has opened: a child whose parent names it.
  const still = circlesAmong(held);
  for (const { change, stuck } of held) if (still.has(change.id)) unbreakable.set(change.id, stuck);
  return { drafts: result, unbreakable };
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

/** Something new comes of it. */
function isMade({ action, work }: Draft["change"]): boolean {
  return (action === "create" || action === "replace") && work?.unfinished === undefined;
}
