import type { Found, MovedKind, OverlayKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Selection, Selector } from "../../model/plan.ts";
import { keyText } from "../../model/key.ts";
import { strip } from "../../model/shape.ts";
import { urnType } from "../../model/urn.ts";
import { referenced } from "../../model/walk.ts";
import type { ReadClient } from "../../service/index.ts";
import { isGiven, isLocated, onlyAdds } from "../facets/standing.ts";
import type { Report } from "../progress.ts";
import { together } from "../together.ts";
import type { GivenReader } from "./given-reader.ts";
import type { Selectable } from "./selection.ts";
import { glob, select, tolerant } from "./selection.ts";

/** An overlay that is read by itself. */
export type Fetched = OverlayKind & Required<Pick<OverlayKind, "fetch" | "called" | "locate">>;

export function isFetched(kind: MovedKind): kind is Fetched {
  return isLocated(kind) && kind.fetch !== undefined && kind.called !== undefined;
}

/** The given kind that it lies over: what is read by itself is found through records. */
export function thingOver({ over }: Fetched): string {
  return over.kinds[0] ?? "";
}

/** So many are under way at once; their bodies are not kept. */
const atOnce = 100;

/**
 * Reads one by one what no list shows. A 404 is nothing; any other failure ends the run: an error is never emptiness.
 */
export async function readOneByOne<T extends { readonly kind: Fetched; readonly record: Found }>(options: {
  readonly client: ReadClient;
  readonly side: "source" | "target";
  readonly wanted: readonly T[];
  readonly report: Report;
  readonly stop?: AbortSignal | undefined;
  readonly take: (item: T, body: JsonObject) => Promise<void>;
}): Promise<void> {
  const { client, side, wanted, report, stop, take } = options;
  const [first] = wanted;
  if (first === undefined) return;
  const detail = `${wanted.length} ${first.kind.name} of the ${side} that no list shows`;
  report({ type: "stage", stage: "read one by one", detail });
  for (let start = 0; start < wanted.length; start += atOnce) {
    stop?.throwIfAborted();
    const some = wanted.slice(start, start + atOnce);
    const bodies = await together(some.map(async ({ kind, record }) => kind.fetch(client, record)));
    for (const [index, item] of some.entries()) {
      const body = bodies[index];
      if (body !== undefined) await take(item, body);
    }
    report({ type: "read", side, kind: first.kind.name, count: start + some.length, total: wanted.length });
  }
}

/**
 * Whether a list shows overlays such as primary monitors is not documented. Where it shows none, those that the plan
 * may be about are found through what they lie over: the things that are known by now, and all of them only where the
 * plan may mean any.
 */
export async function unlistedAtSource(options: {
  readonly client: ReadClient;
  readonly registry: Registry;
  readonly kind: Fetched;
  readonly given: GivenReader;
  readonly objects: readonly Selectable[];
  readonly selection: Selection;
  readonly stop?: AbortSignal | undefined;
}): Promise<readonly { readonly kind: Fetched; readonly record: Found }[]> {
  const { client, registry, kind, given, objects, selection, stop } = options;
  const over = registry.get(thingOver(kind));
  if (!isGiven(over)) return [];
  const wanted = new Wanted(kind, objects, selection);
  for (const urn of await thingsOfLinks(registry, kind, given, wanted.linked)) wanted.over.add(urn);
  if (wanted.isNothing) return [];
  const found = new Map<string, Found>();
  const look = (records: Iterable<Found>): void => {
    for (const record of records) {
      const urn = kind.locate(record);
      if (urn !== undefined && wanted.takes(urn, record)) found.set(urn, record);
    }
  };
  look(given.records(over.name).values());
  if (wanted.isOpen && over.all !== undefined) {
    for await (const page of over.all(client)) {
      stop?.throwIfAborted();
      look(page);
      if (!wanted.isOpen) break;
    }
  }
  return [...found.values()].map((record) => ({ kind, record }));
}

/** What the selected links hang on is of use for them: term assignments need the rules that terms bring with them. */
async function thingsOfLinks(
  registry: Registry,
  kind: Fetched,
  given: GivenReader,
  links: readonly Selectable[],
): Promise<ReadonlySet<string>> {
  const things = new Set<string>();
  for (const link of registry.moved()) {
    if (!onlyAdds(link) || !link.refersTo.includes(kind.name)) continue;
    const urns = links.filter((object) => object.kind === link.name).map(({ urn }) => urn);
    if (urns.length === 0) continue;
    const records = await given.given(link.over.kinds[0] ?? "", urns);
    for (const urn of urns) {
      for (const value of referenced(records.get(urn)?.body ?? {}, ["urn"]))
        if (registry.givenOf(urnType(value) ?? "")?.name === thingOver(kind)) things.add(value);
    }
  }
  if (things.size > 0) await given.given(thingOver(kind), things);
  return things;
}

/** Which overlays of a kind the plan may be about, before they are read. */
class Wanted {
  /** Selected links. */
  readonly linked: readonly Selectable[];
  /** Things whose overlay is wanted whatever it is called. */
  readonly over = new Set<string>();
  readonly #kind: Fetched;
  readonly #isAll: boolean;
  readonly #selectors: readonly Selector[];
  readonly #patterns: readonly RegExp[];
  /** URNs that are named, and not found yet. */
  readonly #named: Set<string>;

  constructor(kind: Fetched, objects: readonly Selectable[], selection: Selection) {
    this.#kind = kind;
    const isSelected = selection.kinds.includes(kind.selectedAs);
    const applies = (selector: Selector): boolean =>
      isSelected && (selector.kind === undefined || selector.kind === kind.selectedAs);
    this.#isAll = isSelected && !selection.include.some(applies);
    // What is excluded has to be there too: a selector that nothing fits is a mistake.
    this.#selectors = [...selection.include, ...selection.exclude].filter(applies);
    this.#patterns = this.#selectors.flatMap(({ name }) => (name === undefined ? [] : [glob(name)]));
    const listed = new Set(objects.map(({ urn }) => urn));
    const { why } = select(objects, tolerant(selection));
    const chosen = objects.filter((object) => why.has(keyText(object.kind, object.urn)));
    this.linked = chosen;
    const references = selection.dependencies === "include" ? chosen.flatMap(({ refersTo }) => refersTo) : [];
    const named = [...references, ...this.#selectors.flatMap(({ urns = [] }) => urns)];
    const isOne = (urn: string): boolean => kind.urnTypes.includes(urnType(urn) ?? "") && !listed.has(urn);
    this.#named = new Set(named.filter(isOne));
  }

  get isNothing(): boolean {
    return !this.isOpen && this.over.size === 0;
  }

  /** Things that are not known yet may have one that is wanted. */
  get isOpen(): boolean {
    return this.#isAll || this.#patterns.length > 0 || this.#named.size > 0;
  }

  takes(urn: string, record: Found): boolean {
    const name = this.#kind.called(record);
    if (this.#named.delete(urn)) return true;
    return this.#isAll || this.over.has(record.urn) || this.#patterns.some((pattern) => pattern.test(name));
  }
}

/** Keys of what a diff looks at: what is selected, what that refers to, and what hands something over to a person. */
export function neededOf(
  registry: Registry,
  source: {
    kinds(): readonly string[];
    stream(
      kind: string,
    ): Iterable<{ readonly urn: string; readonly name: string; readonly body: JsonObject }>;
  },
  selection: Selection,
): ReadonlySet<string> {
  const objects: Selectable[] = [];
  const needed = new Set<string>();
  for (const kind of registry.moved().filter(({ name }) => source.kinds().includes(name))) {
    for (const { urn, name, body } of source.stream(kind.name)) {
      const refersTo = referenced(strip(body, kind.shape), ["urn"]).filter((value) =>
        registry.mayBeMoved(urnType(value) ?? ""),
      );
      const owns = registry.owns(kind.name);
      objects.push({ selectedAs: kind.selectedAs, kind: kind.name, owns, urn, name, refersTo });
      if (kind.isLookedInto?.(body) === true) needed.add(keyText(kind.name, urn));
    }
  }
  const { why } = select(objects, tolerant(selection));
  const isSelected = ({ kind, urn }: Selectable): boolean => why.has(keyText(kind, urn));
  const referred = new Set(objects.filter(isSelected).flatMap(({ refersTo }) => refersTo));
  for (const object of objects) {
    if (isSelected(object) || (object.owns && referred.has(object.urn)))
      needed.add(keyText(object.kind, object.urn));
  }
  return needed;
}
