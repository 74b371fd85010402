import type { FieldChange } from "../../model/change.ts";
import type { Json } from "../../model/json.ts";
import { isArray } from "../../model/json.ts";
import { parseJson } from "../../model/json-text.ts";
import type { Part } from "../../model/sub-entity-label.ts";
import { describeParts } from "../../model/sub-entity-label.ts";
import { isAssignedKey, isTemporaryKey, sourceKeyOf } from "../../model/sub-entity.ts";
import { markedUrn } from "../../model/translate.ts";
import { isUrn, uuidOf } from "../../model/urn.ts";
import type { DiffInput } from "./input.ts";
import type { Node, Nodes } from "./node.ts";

/** So many objects' parts are kept described; a diff goes through objects in order and comes back to few. */
const mostDescribed = 500;
/** Most objects differ in few places, and each of a million would have a text for its own. */
const mostPaths = 5_000;
/** References in one list that are named; the reports have room for no more. */
const mostListed = 5;

/** Shows references by name on both sides; markers become the source's URN. */
export class Names {
  readonly #input: DiffInput;
  readonly #nodes: Nodes;
  /** The source URN of a part that stands at the target under this one. */
  readonly #sourcePart: (target: string) => string | undefined;
  #parts: ReadonlyMap<string, string> | undefined;
  readonly #paths = new Map<string, string>();
  readonly #described = new Map<string, ReadonlyMap<string, Part>>();

  constructor(input: DiffInput, nodes: Nodes, sourcePart: (target: string) => string | undefined) {
    this.#input = input;
    this.#nodes = nodes;
    this.#sourcePart = sourcePart;
  }

  /** `node` is the object that the field belongs to: a value may be the key of one of its own parts. */
  field(change: FieldChange, node: Node): FieldChange {
    const fromName = this.#nameOf(change.from, node);
    const toName = this.#nameOf(change.to, node);
    return {
      ...change,
      path: this.#paths.get(change.path) ?? this.#kept(unmarkedText(change.path)),
      ...(change.to === undefined ? {} : { to: unmarked(change.to) }),
      ...(fromName === undefined ? {} : { fromName }),
      ...(toName === undefined ? {} : { toName }),
    };
  }

  /** The same text for all that differ there. */
  #kept(path: string): string {
    if (this.#paths.size < mostPaths) this.#paths.set(path, path);
    return path;
  }

  /** In one word, for a path: what a URN of either side, or a marker, is called. */
  readonly label = (value: string): string | undefined => {
    const urn = markedUrn(value);
    const known = urn === undefined ? this.#atTarget(value) : undefined;
    if (known !== undefined) return known;
    const source = urn ?? this.#sourcePart(value) ?? value;
    return this.#atSource(source) ?? this.#partAtSource(source)?.part.label;
  };

  #nameOf(value: Json | undefined, node: Node): string | undefined {
    if (isArray(value)) return this.#listed(value, node);
    if (typeof value !== "string") return undefined;
    if (isAssignedKey(value)) return this.#ownPart(value, node);
    const marked = markedUrn(value);
    if (marked === undefined && !isUrn(value)) return undefined;
    const known = marked === undefined ? this.#atTarget(value) : this.#atSource(marked);
    const pending = marked === undefined ? [] : [toBeCreated];
    if (known !== undefined) return noted(known, pending);
    const unresolved = marked === undefined ? this.#atSource(value) : undefined;
    if (unresolved !== undefined) return noted(unresolved, [ofSource]);
    const found = this.#partAtSource(marked ?? this.#sourcePart(value) ?? "");
    if (found === undefined) return undefined;
    const { part, owner } = found;
    return noted(part.label, [`${part.field} of ${owner.kind.name} ${owner.name}`, ...pending]);
  }

  #listed(values: readonly Json[], node: Node): string | undefined {
    const names = values.slice(0, mostListed).map((value) => this.#nameOf(value, node));
    if (names.length === 0 || names.some((name) => name === undefined)) return undefined;
    const more = values.length - names.length;
    return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  }

  #atTarget(urn: string): string | undefined {
    const { snapshot, pairs } = this.#input.target;
    for (const kind of snapshot.kinds()) {
      if (this.#input.registry.owns(kind) && snapshot.has(kind, urn)) return snapshot.name(kind, urn);
    }
    return pairs.records.get(urn)?.name ?? this.#partNames().get(urn);
  }

  #atSource(urn: string): string | undefined {
    const node = this.#nodes.named.get(urn);
    if (node !== undefined) return node.name;
    const { source } = this.#input;
    const kind = source
      .kinds()
      .find((candidate) => this.#input.registry.owns(candidate) && source.has(candidate, urn));
    return kind === undefined ? undefined : source.name(kind, urn);
  }

  #partAtSource(urn: string): { readonly part: Part; readonly owner: Node } | undefined {
    const key = uuidOf(urn);
    const owner = this.#nodes.named.get(this.#nodes.owners.get(key) ?? "");
    const part = owner === undefined ? undefined : this.#partsOf(owner).get(key);
    return part === undefined || owner === undefined ? undefined : { part, owner };
  }

  /** A key of the object itself, such as the one of a join. */
  #ownPart(value: string, node: Node): string | undefined {
    const isNew = isTemporaryKey(value);
    const [known] = Object.entries(node.keys).find(([, target]) => target === value) ?? [];
    const part = this.#partsOf(node).get(isNew ? sourceKeyOf(value) : (known ?? value));
    return part === undefined ? undefined : noted(part.label, [part.field, ...(isNew ? [toBeCreated] : [])]);
  }

  #partsOf(node: Node): ReadonlyMap<string, Part> {
    const key = node.key;
    const known = this.#described.get(key);
    if (known !== undefined) return known;
    if (this.#described.size >= mostDescribed) this.#described.clear();
    // First empty: what describes a part may lead back to it.
    this.#described.set(key, new Map());
    const body = this.#input.source.body(node.kind.name, node.urn);
    const parts = describeParts(body, node.kind.shape.labels ?? [], this.label);
    this.#described.set(key, parts);
    return parts;
  }

  /** Names of things inside given things, such as the results of a dimension. */
  #partNames(): ReadonlyMap<string, string> {
    if (this.#parts !== undefined) return this.#parts;
    const names = new Map<string, string>();
    for (const record of this.#input.target.pairs.records.values()) {
      collect(record.body, names);
    }
    this.#parts = names;
    return names;
  }
}

const toBeCreated = "to be created";
/** A reference that is led nowhere is shown as the source has it: whoever reads it is not to take it for what is sent. */
const ofSource = "at the source; nothing stands for it";

/** The same once that is there. */
export function withoutPending(name: string): string {
  return name.replaceAll(` (${toBeCreated})`, "").replaceAll(`, ${toBeCreated})`, ")");
}

/** `value (inputs of rules Email is filled, to be created)`. */
function noted(name: string, notes: readonly string[]): string {
  return notes.length === 0 ? name : `${name} (${notes.join(", ")})`;
}

function collect(value: Json, into: Map<string, string>): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, into);
  } else if (typeof value === "object" && value !== null) {
    const { urn, name } = value as Record<string, Json>;
    if (typeof urn === "string" && typeof name === "string") into.set(urn, name);
    for (const item of Object.values(value)) collect(item, into);
  }
}

export function unmarked(value: Json): Json {
  // The very text that the body holds, where it says nothing of references: no copy of every description.
  if (typeof value === "string" && !/[\uE000\uE001]/.test(value)) return value;
  return parseJson(unmarkedText(JSON.stringify(value)));
}

function unmarkedText(text: string): string {
  return text.replaceAll(/[\uE000\uE001]urn:/g, "urn:");
}
