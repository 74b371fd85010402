import type { Registry } from "../../kinds/registry.ts";
import { keyText } from "../../model/key.ts";
import { TextNumbers } from "../../model/packed/numbers.ts";
import { withRoom } from "../../model/packed/room.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import { Texts } from "../../model/packed/texts.ts";
import type { Selection, Selector } from "../../model/plan.ts";
import { EngineError } from "../progress.ts";
import type { IdleSelector } from "./unmatched.ts";
import { nearNames, written } from "./unmatched.ts";
import { onlyAdds } from "../facets/standing.ts";

const none: readonly string[] = [];

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

/** Objects that can be gone through more than once, and found by their position. */
export interface Selectables extends Iterable<Selectable> {
  at(position: number): Selectable | undefined;
}

/** Objects by key, in little room: there may be a million of them. */
export class Chosen {
  readonly #keys = new Texts();
  /** By the number of a key: one more than that of the object that pulled it in; 0 for what the plan itself selects. */
  #pullers = new Uint32Array(16);

  /** As one that the plan itself selects, or one that an object that is chosen has pulled in. */
  add(key: string, puller?: string): void {
    const number = this.#keys.add(key);
    this.#pullers = withRoom(this.#pullers, number);
    if (puller !== undefined) this.#pullers[number] = this.#keys.find(puller) + 1;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Key of the object that pulled it in; undefined for what the plan itself selects. */
  get(key: string): string | undefined {
    const puller = this.#pullers[this.#keys.find(key)] ?? 0;
    return puller === 0 ? undefined : this.#keys.at(puller - 1);
  }

  *[Symbol.iterator](): Generator<readonly [key: string, puller: string | undefined], undefined> {
    for (const key of this.#keys) yield [key, this.get(key)];
  }
}

export interface Selected {
  readonly why: Chosen;
}

/**
 * Kinds first, then include, then exclude, then the closure over references. A selected kind never lets an
 * unselected one through; a selector that matches nothing is an error, since it is a mistake or a lost object.
 */
export function select(objects: Selectables, selection: Selection): Selected {
  const kinds = new Set(selection.kinds);
  const include = selection.include.map(compile);
  const exclude = selection.exclude.map(compile);
  /** Position by URN, of what owns it. */
  const named = new TextNumbers();
  const why = new Chosen();
  // A person named these: not even a reference brings them in; what refers to them is blocked and says so.
  const excluded = new TextSet();
  const queue: number[] = [];
  let position = 0;
  for (const object of objects) {
    if (object.owns) named.set(object.urn, position);
    if (kinds.has(object.selectedAs)) {
      const chosen = isChosen(object, include);
      if (isNamed(object, exclude)) excluded.add(keyOf(object));
      else if (chosen) {
        why.add(keyOf(object));
        queue.push(position);
      }
    }
    position += 1;
  }
  const idle = [...asIdle("include", include), ...asIdle("exclude", exclude)];
  if (idle.length > 0) {
    const there = [...objects].filter(({ selectedAs }) => kinds.has(selectedAs));
    throw new EngineError(
      "selection",
      `nothing at the source matches ${idle.map(written).join("; ")}`,
      [...nearNames(idle, there), "Correct the selector, or take it out."].join(" "),
    );
  }
  if (selection.dependencies === "include") {
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      const object = objects.at(at);
      for (const urn of object?.refersTo ?? none) {
        const place = named.get(urn);
        const needed = place === undefined ? undefined : objects.at(place);
        if (object === undefined || needed === undefined || place === undefined) continue;
        const key = keyOf(needed);
        if (why.has(key) || excluded.has(key)) continue;
        why.add(key, keyOf(object));
        queue.push(place);
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

/** What a selector goes by. */
type Called = Pick<Selectable, "selectedAs" | "urn" | "name">;

/** Whether the plan itself selects an object, whatever else there is; it may be gone. */
export function selectsItself(selection: Selection): (object: Called) => boolean {
  const kinds = new Set(selection.kinds);
  const include = selection.include.map(compile);
  const exclude = selection.exclude.map(compile);
  return (object) => kinds.has(object.selectedAs) && isChosen(object, include) && !isNamed(object, exclude);
}

/** Selectors of other kinds do not narrow this one. */
function isChosen(object: Called, include: readonly Compiled[]): boolean {
  const narrowing = include.filter(({ kind }) => kind === undefined || kind === object.selectedAs);
  return isNamed(object, narrowing) || narrowing.length === 0;
}

/** All of them look at it: each has to know whether anything fits. */
function isNamed(object: Called, selectors: readonly Compiled[]): boolean {
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

function matches(selector: Compiled, object: Called): boolean {
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
