import type { Registry } from "../../kinds/registry.ts";
import { keyText } from "../../model/key.ts";
import type { Selection, Selector } from "../../model/plan.ts";
import { EngineError } from "../progress.ts";
import type { IdleSelector } from "./unmatched.ts";
import { nearNames, written } from "./unmatched.ts";
import { onlyAdds } from "../facets/standing.ts";

/** What selection needs to know of an object. */
export interface Selectable {
  readonly selectedAs: string;
  readonly kind: string;
  /** References lead to it by its URN: it is not laid over something else. */
  readonly owns: boolean;
  readonly urn: string;
  readonly name: string;
  /** URNs of moved objects that it refers to. */
  readonly refersTo: readonly string[];
}

export interface Selected {
  /** Key to the key of the object that pulled it in; undefined for what the plan itself selects. */
  readonly why: ReadonlyMap<string, string | undefined>;
}

/**
 * Kinds first, then include, then exclude, then the closure over references. A selected kind never lets an
 * unselected one through; a selector that matches nothing is an error, since it is a mistake or a lost object.
 */
export function select(objects: Iterable<Selectable>, selection: Selection): Selected {
  const kinds = new Set(selection.kinds);
  const include = selection.include.map(compile);
  const exclude = selection.exclude.map(compile);
  const all: Selectable[] = [];
  const named = new Map<string, Selectable>();
  const why = new Map<string, string | undefined>();
  // A person named these: not even a reference brings them in; what refers to them is blocked and says so.
  const excluded = new Set<string>();
  for (const object of objects) {
    all.push(object);
    if (object.owns) named.set(object.urn, object);
    if (!kinds.has(object.selectedAs)) continue;
    const chosen = isChosen(object, include);
    if (isNamed(object, exclude)) excluded.add(keyOf(object));
    else if (chosen) why.set(keyOf(object), undefined);
  }
  const idle = [...asIdle("include", include), ...asIdle("exclude", exclude)];
  if (idle.length > 0) {
    const there = all.filter(({ selectedAs }) => kinds.has(selectedAs));
    throw new EngineError(
      "selection",
      `nothing at the source matches ${idle.map(written).join("; ")}`,
      [...nearNames(idle, there), "Correct the selector, or take it out."].join(" "),
    );
  }
  if (selection.dependencies === "include") {
    const queue = all.filter((object) => why.has(keyOf(object)));
    for (let object = queue.pop(); object !== undefined; object = queue.pop()) {
      for (const urn of object.refersTo) {
        const needed = named.get(urn);
        if (needed === undefined || why.has(keyOf(needed)) || excluded.has(keyOf(needed))) continue;
        why.set(keyOf(needed), keyOf(object));
        queue.push(needed);
      }
    }
  }
  return { why };
}

/** What fits no selector by now may be among what is still to be read. */
export function tolerant(selection: Selection): Selection {
  const idle = (selector: Selector): Selector => ({ ...selector, mayBeIdle: true });
  return { ...selection, include: selection.include.map(idle), exclude: selection.exclude.map(idle) };
}

/** Whether the plan itself selects an object, whatever else there is. */
export function selectsItself(selection: Selection): (object: Selectable) => boolean {
  const kinds = new Set(selection.kinds);
  const include = selection.include.map(compile);
  const exclude = selection.exclude.map(compile);
  return (object) => kinds.has(object.selectedAs) && isChosen(object, include) && !isNamed(object, exclude);
}

/** Selectors of other kinds do not narrow this one. */
function isChosen(object: Selectable, include: readonly Compiled[]): boolean {
  const narrowing = include.filter(({ kind }) => kind === undefined || kind === object.selectedAs);
  return isNamed(object, narrowing) || narrowing.length === 0;
}

/** All of them look at it: each has to know whether anything fits. */
function isNamed(object: Selectable, selectors: readonly Compiled[]): boolean {
  return selectors.filter((selector) => matches(selector, object)).length > 0;
}

/** Selected kinds and, when dependencies are included, the kinds that these refer to. */
export function kindsToList(registry: Registry, selection: Selection): ReadonlySet<string> {
  const kinds = new Set(
    registry
      .moved()
      .filter((kind) => selection.kinds.includes(kind.selectedAs))
      .map((kind) => kind.name),
  );
  const queue = [...kinds];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const kind = registry.movedKind(name);
    for (const other of kind?.refersTo ?? []) {
      if (kinds.has(other) || !registry.moved().some((moved) => moved.name === other)) continue;
      if (selection.dependencies !== "include" && !onlyAdds(kind)) continue;
      kinds.add(other);
      queue.push(other);
    }
  }
  return kinds;
}

function keyOf({ kind, urn }: Selectable): string {
  return keyText(kind, urn);
}

interface Compiled {
  readonly kind: string | undefined;
  readonly urns: ReadonlySet<string> | undefined;
  readonly pattern: RegExp | undefined;
  readonly selector: Selector;
  /** Those of its URNs that nothing had yet. */
  readonly unseen: Set<string>;
  hits: number;
}

function compile(selector: Selector): Compiled {
  return {
    kind: selector.kind,
    urns: selector.urns === undefined ? undefined : new Set(selector.urns),
    pattern: selector.name === undefined ? undefined : glob(selector.name),
    selector,
    unseen: new Set(selector.urns),
    hits: 0,
  };
}

/** Those without a match, their lists of URNs cut down to those that nothing has. */
function asIdle(list: IdleSelector["list"], selectors: readonly Compiled[]): readonly IdleSelector[] {
  return selectors
    .filter(({ selector, hits, unseen }) => selector.mayBeIdle !== true && (hits === 0 || unseen.size > 0))
    .map(({ selector, unseen }) => ({
      list,
      selector: unseen.size === 0 ? selector : { ...selector, urns: [...unseen] },
    }));
}

function matches(selector: Compiled, object: Selectable): boolean {
  if (selector.kind !== undefined && selector.kind !== object.selectedAs) return false;
  if (selector.urns !== undefined && !selector.urns.has(object.urn)) return false;
  if (selector.pattern !== undefined && !selector.pattern.test(object.name)) return false;
  selector.unseen.delete(object.urn);
  selector.hits += 1;
  return true;
}

/** `*` any run of characters, `?` one; everything else is itself, capital letters included. */
export function glob(pattern: string): RegExp {
  const source = Array.from(pattern)
    .map((mark) => (mark === "*" ? ".*" : mark === "?" ? "." : mark.replaceAll(/[\\^$.|+()[\]{}/]/g, "\\$&")))
    .join("");
  return new RegExp(`^${source}$`, "su");
}
