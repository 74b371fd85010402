import { components } from "../../model/graph.ts";
import { strip } from "../../model/shape.ts";
import { translate } from "../../model/translate.ts";
import { changeId } from "./decide.ts";
import type { Draft } from "./decide.ts";
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
): { readonly drafts: readonly Draft[]; readonly unbreakable: ReadonlyMap<string, string> } {
  const byUrn = new Map(drafts.map((draft) => [draft.node.urn, draft]));
  const graph = new Map(drafts.map((draft) => [draft.node.urn, [...draft.waitsFor]]));
  const circleOf = new Map<string, ReadonlySet<string>>();
  for (const component of components(graph)) {
    const [only] = component;
    const alone = component.length === 1 && only !== undefined && graph.get(only)?.includes(only) !== true;
    if (alone) continue;
    const circle = new Set(component);
    for (const urn of component) circleOf.set(urn, circle);
  }
  const unbreakable = new Map<string, string>();
  const result = drafts.map((draft) => {
    const id = (urn: string): string => byUrn.get(urn)?.change.id ?? changeId("unknown", urn);
    const circle = circleOf.get(draft.node.urn);
    if (circle === undefined || draft.change.action !== "create") {
      return { ...draft, change: { ...draft.change, dependsOn: [...draft.waitsFor].map(id) } };
    }
    const { deferred, waitsFor, stuck } = withoutCircle(draft, circle, input, resolver);
    if (stuck !== undefined) unbreakable.set(draft.node.urn, stuck);
    const later = [...draft.waitsFor].filter((urn) => !waitsFor.has(urn));
    return {
      ...draft,
      change: {
        ...draft.change,
        dependsOn: [...waitsFor].map(id),
        work: { ...draft.change.work, deferred, deferredOn: later.map(id) },
      },
    };
  });
  return { drafts: result, unbreakable };
}

function withoutCircle(
  { node }: Draft,
  circle: ReadonlySet<string>,
  input: DiffInput,
  resolver: Resolver,
): { deferred: readonly string[]; waitsFor: ReadonlySet<string>; stuck: string | undefined } {
  const body = strip(input.source.body(node.kind.name, node.urn), node.kind.shape);
  const deferred: string[] = [];
  const waitsFor = new Set<string>();
  let stuck: string | undefined;
  for (const [field, value] of Object.entries(body)) {
    const { pending } = translate({ [field]: value }, resolver.lookup({}));
    if ([...pending].some((urn) => circle.has(urn))) {
      if (node.kind.shape.deferrable?.includes(field) === true) {
        deferred.push(field);
        continue;
      }
      stuck = field;
    }
    for (const urn of pending) waitsFor.add(urn);
  }
  return { deferred, waitsFor, stuck };
}
