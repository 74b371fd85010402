import type { ModelTypes, MovedKind } from "../../kinds/kind.ts";
import { contents } from "../../model/canonical.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { isArray, isObject } from "../../model/json.ts";
import { keyText } from "../../model/key.ts";
import type { Shape } from "../../model/shape.ts";
import { strip } from "../../model/shape.ts";
import { isSubEntityMap, sourceKeyOf, subEntityKeys } from "../../model/sub-entity.ts";
import type { Lookup } from "../../model/translate.ts";
import { translated } from "../facets/translated.ts";
import { urnType, uuidOf } from "../../model/urn.ts";
import { walk } from "../../model/walk.ts";
import type { DiffInput } from "./input.ts";
import type { Node, Nodes } from "./node.ts";
import type { Resolver } from "./resolver.ts";
import type { Namesakes } from "./same-name.ts";
import { mapTexts } from "../../model/map-texts.ts";
import { once } from "../../model/once.ts";

/** Whoever refers to open things, in the target's URN space whichever side it is of. */
export interface User {
  readonly kind: string;
  readonly shape: Shape;
  /** The body with a text of one's own for each open thing in it, and for each part of one. */
  readonly render: (name: (thing: Thing) => string) => JsonObject;
  /** Where it refers to a thing: keys that are known on both sides stand for themselves. */
  readonly places: ReadonlyMap<Thing, ReadonlySet<string>>;
  /** Its twin's URN, or what is taken for it by its natural key. */
  readonly who: string | undefined;
  /** That is its twin whatever it holds by now. */
  readonly isSure: boolean;
  /** It is an open thing itself. */
  readonly thing: Thing | undefined;
}

/** An object of either side that shares its natural key with others: which is whose twin is to be found out. */
export interface Thing extends Pick<User, "kind" | "shape" | "render"> {
  readonly group: string;
  readonly urn: string;
  /** Of the source; undefined for a candidate of the target. */
  readonly node: Node | undefined;
}

interface Body {
  readonly kind: MovedKind;
  readonly urn: string;
  readonly tree: JsonObject;
  /** Keys of parts that are known on both sides, as they are at the target. */
  readonly known: ReadonlySet<string>;
}

/**
 * Whatever stands in an open thing and is paired with it alone, such as an attribute of one of two items: which it is nobody knows yet, and
 * its URN would make all that names it another thing at either side.
 */
const untold = "\uE003";

/** A private-use character around the number of an open thing and the key of its part, where a body refers to it. */
const sign = "\uE002";
const expression = /\uE002(\d+)\/([0-9a-fA-F-]*)\uE002/g;

/** Both sides as far as they have to do with open things. */
export class Estates {
  readonly things: readonly Thing[];
  readonly #input: DiffInput;
  readonly #types: ModelTypes;
  readonly #users = new Map<Thing, User[]>();
  readonly #tied = new Set<Thing>();
  /** Groups that share users, or use each other, by one of them. */
  readonly #circles = new Map<string, string>();
  /** Of what stands in others: the twins that are known whichever of the open things is whose. */
  readonly #paired: () => ReadonlySet<string>;
  /** By thing: its parts by key, each as its content is called. */
  readonly #parts = new Map<Thing, ReadonlyMap<string, string>>();

  constructor(groups: readonly Namesakes[], input: DiffInput, nodes: Nodes, resolver: Resolver) {
    this.#input = input;
    this.#types = resolver.types;
    this.#paired = once(() => {
      const { twins, inside } = input.target.pairs;
      const open = new Set(groups.flatMap(({ nodes: group }) => group.map(({ urn }) => urn)));
      const within = [...inside.values()].flatMap(({ holder, twin }) =>
        open.has(holder) ? [] : (twin ?? []),
      );
      return new Set([...twins.values(), ...within]);
    });
    const things: Thing[] = [];
    const sources = new Tokens();
    const targets = new Tokens();
    const add = (group: string, kind: MovedKind, urn: string, node: Node | undefined): void => {
      const side = node === undefined ? targets : sources;
      const snapshot = node === undefined ? input.target.snapshot : input.source;
      const keys = subEntityKeys(strip(snapshot.body(kind.name, urn), kind.shape));
      side.add(things.length, urn, kind.ownsParts === true ? keys : []);
      const body = (): Body =>
        node === undefined
          ? this.#targetBody(kind, urn, targets, new Map())
          : this.#sourceBody(node, sources, resolver);
      const lazy = once(body);
      const render = (name: (thing: Thing) => string): JsonObject => this.#render(lazy().tree, name);
      things.push({ group, kind: kind.name, urn, node, shape: kind.shape, render });
    };
    for (const [index, { kind, nodes: group, candidates }] of groups.entries()) {
      for (const node of group) add(String(index), kind, node.urn, node);
      for (const urn of candidates) add(String(index), kind, urn, undefined);
    }
    this.things = things;
    for (const thing of things) this.#parts.set(thing, partsOf(thing));
    this.#findUsers(nodes, sources, targets, resolver);
  }

  usersOf(thing: Thing): readonly User[] {
    return this.#users.get(thing) ?? [];
  }

  /** It uses other open things, is used by one, or by somebody who uses others as well. */
  isTied(thing: Thing): boolean {
    return this.#tied.has(thing);
  }

  /** Names all the groups that what is found out of this thing may tell something of. */
  circleOf({ group }: Thing): string {
    let circle = group;
    for (let up = this.#circles.get(circle); up !== undefined; up = this.#circles.get(circle)) circle = up;
    return circle;
  }

  #unite([first, ...others]: readonly Thing[]): void {
    if (first === undefined) return;
    for (const other of others) {
      const [one, two] = [this.circleOf(first), this.circleOf(other)];
      if (one !== two) this.#circles.set(two, one);
    }
  }

  #findUsers(nodes: Nodes, sources: Tokens, targets: Tokens, resolver: Resolver): void {
    // By kind and id: what is said of a thing goes by the thing's own URN, and is a user of it.
    const [here, there] = [new Map<string, Thing>(), new Map<string, Thing>()];
    for (const thing of this.things)
      (thing.node === undefined ? there : here).set(keyText(thing.kind, thing.urn), thing);
    const twins = new Map<string, Node>();
    for (const node of nodes.all) {
      const isTaken = node.standing === "mapped" || node.standing === "candidate";
      if (isTaken && node.target !== undefined) twins.set(keyText(node.kind.name, node.target), node);
    }
    for (const node of nodes.all) {
      if (!sources.isMetIn(this.#input.source.body(node.kind.name, node.urn))) continue;
      const thing = here.get(node.key);
      const isTwin = twins.get(keyText(node.kind.name, node.target ?? "")) === node;
      this.#addUser(this.#sourceBody(node, sources, resolver), thing, isTwin ? node : undefined);
    }
    for (const kind of this.#input.registry.moved()) {
      if (!this.#input.target.snapshot.kinds().includes(kind.name)) continue;
      for (const { urn, body } of this.#input.target.snapshot.stream(kind.name)) {
        if (!targets.isMetIn(body)) continue;
        const twin = twins.get(keyText(kind.name, urn));
        const known = new Map(Object.entries(twin?.keys ?? {}));
        this.#addUser(this.#targetBody(kind, urn, targets, known), there.get(keyText(kind.name, urn)), twin);
      }
    }
  }

  #addUser({ kind, tree, known }: Body, thing: Thing | undefined, twin: Node | undefined): void {
    const places = this.#placesIn(tree, known);
    // The parts of an open thing that it names itself are its content, and no use of it.
    if (thing !== undefined) places.delete(thing);
    const isSure = twin?.standing === "mapped" || this.#input.plan.policy.adopt === "by-name";
    const user: User = {
      kind: kind.name,
      shape: kind.shape,
      render: (name) => this.#render(tree, name),
      places,
      who: twin?.target,
      isSure: twin !== undefined && isSure,
      thing,
    };
    const together = [...(thing === undefined ? [] : [thing]), ...places.keys()];
    this.#unite(together);
    // Whoever has to do with one of them alone, such as its steward, has nothing to tell of another one.
    if (together.length > 1) for (const one of together) this.#tied.add(one);
    for (const used of places.keys()) this.#users.set(used, [...(this.#users.get(used) ?? []), user]);
  }

  #sourceBody(node: Node, tokens: Tokens, resolver: Resolver): Body {
    const { kind, urn } = node;
    const plain = resolver.lookup(node.keys);
    const lookup: Lookup = {
      ...plain,
      urn: (value) => {
        const token = tokens.of(uuidOf(value));
        if (token !== undefined) return { state: "target", urn: token };
        const found = plain.urn(value);
        const isOpen = found.state !== "target" && this.#isInside(value);
        return isOpen ? { state: "target", urn: untold } : found;
      },
      uuid: (value) => {
        const token = tokens.of(value);
        return token === undefined ? plain.uuid(value) : { state: "target", uuid: token };
      },
    };
    const { tree } = translated(kind, strip(this.#input.source.body(kind.name, urn), kind.shape), lookup);
    return { kind, urn, tree: this.#adapted(kind, tree), known: new Set(Object.values(node.keys)) };
  }

  #targetBody(kind: MovedKind, urn: string, tokens: Tokens, keys: ReadonlyMap<string, string>): Body {
    const body = strip(this.#input.target.snapshot.body(kind.name, urn), kind.shape);
    const own = subEntityKeys(body);
    const tree = walk(body, (form, value) =>
      form === "key" || own.has(value)
        ? value
        : (tokens.of(uuidOf(value)) ??
          tokens.of(value) ??
          (this.#isInside(value) && !this.#paired().has(value) ? untold : value)),
    );
    return { kind, urn, tree: this.#adapted(kind, tree), known: new Set(keys.values()) };
  }

  /** A given thing that stands in another one, as an attribute in its item. */
  #isInside(urn: string): boolean {
    const type = urnType(urn) ?? "";
    const { registry } = this.#input;
    return registry.givenOf(type)?.partOf !== undefined && !registry.mayBeMoved(type);
  }

  /** Both sides alike: what a policy makes equal tells nobody apart. */
  #adapted(kind: MovedKind, tree: JsonObject): JsonObject {
    return kind.adapt?.(tree, this.#input.plan.policy, undefined, this.#types) ?? tree;
  }

  #render(tree: JsonObject, name: (thing: Thing) => string): JsonObject {
    const put = (text: string): string =>
      !text.includes(sign)
        ? text
        : text.replaceAll(expression, (whole, index: string, part: string) => {
            const thing = this.things[Number(index)];
            if (thing === undefined) return whole;
            return `${sign}${name(thing)}/${this.#parts.get(thing)?.get(part) ?? part}${sign}`;
          });
    return mapTexts(tree, put, put);
  }

  #placesIn(tree: JsonObject, known: ReadonlySet<string>): Map<Thing, Set<string>> {
    const places = new Map<Thing, Set<string>>();
    const visit = (value: Json, path: string): void => {
      if (typeof value === "string") {
        for (const [, index = "", part = ""] of value.matchAll(expression)) {
          const thing = this.things[Number(index)];
          if (thing === undefined) continue;
          const place = `${path} ${this.#parts.get(thing)?.get(part) ?? ""}`;
          places.set(thing, (places.get(thing) ?? new Set()).add(place));
        }
      } else if (isArray(value)) for (const item of value) visit(item, `${path}/*`);
      else if (isObject(value)) {
        const isMap = isSubEntityMap(value);
        for (const [key, item] of Object.entries(value)) {
          const isOpen = key.includes(sign);
          const at = `${path}/${(isMap && !known.has(key)) || isOpen ? "*" : key}`;
          if (isOpen) visit(key, at);
          visit(item, at);
        }
      }
    };
    visit(tree, "");
    return places;
  }
}

/** What stands in a body for open things of one side, by UUID of the thing or of its part. */
class Tokens {
  readonly #byUuid = new Map<string, string>();

  add(index: number, urn: string, parts: Iterable<string>): void {
    this.#byUuid.set(uuidOf(urn), `${sign}${index}/${sign}`);
    for (const key of parts) this.#byUuid.set(sourceKeyOf(key), `${sign}${index}/${sourceKeyOf(key)}${sign}`);
  }

  of(uuid: string): string | undefined {
    return this.#byUuid.get(uuid);
  }

  isMetIn(body: JsonObject): boolean {
    let met = false;
    walk(body, (form, value) => {
      if (form !== "key") met ||= this.#byUuid.has(uuidOf(value)) || this.#byUuid.has(value);
      return value;
    });
    return met;
  }
}

/** By the key that others name it by: what a part holds, whatever its key. */
function partsOf({ render, shape }: Thing): ReadonlyMap<string, string> {
  const found = contents(
    render(() => ""),
    shape,
  );
  return new Map([...found].map(([key, content]) => [sourceKeyOf(key), content]));
}
