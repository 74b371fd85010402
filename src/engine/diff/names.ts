import type { FieldChange } from "../../model/change.ts";
import type { Json } from "../../model/json.ts";
import { markedUrn } from "../../model/translate.ts";
import { isUrn } from "../../model/urn.ts";
import type { DiffInput } from "./input.ts";
import type { Nodes } from "./node.ts";

/** Shows references by name on both sides; markers become the source's URN. */
export class Names {
  readonly #input: DiffInput;
  readonly #nodes: Nodes;
  #parts: ReadonlyMap<string, string> | undefined;

  constructor(input: DiffInput, nodes: Nodes) {
    this.#input = input;
    this.#nodes = nodes;
  }

  field(change: FieldChange): FieldChange {
    const fromName = this.#name(change.from);
    const toName = this.#name(change.to);
    return {
      ...change,
      ...(change.to === undefined ? {} : { to: unmarked(change.to) }),
      ...(fromName === undefined ? {} : { fromName }),
      ...(toName === undefined ? {} : { toName }),
    };
  }

  #name(value: Json | undefined): string | undefined {
    if (typeof value !== "string") return undefined;
    const marked = markedUrn(value);
    if (marked !== undefined) {
      const name =
        this.#nodes.all.get(marked)?.name ?? this.#nodes.all.get(this.#nodes.owners.get(marked) ?? "")?.name;
      return name === undefined ? undefined : `${name} (to be created)`;
    }
    if (!isUrn(value)) return undefined;
    for (const kind of this.#input.target.snapshot.kinds()) {
      if (this.#input.target.snapshot.has(kind, value)) return this.#input.target.snapshot.name(kind, value);
    }
    return this.#input.target.pairs.records.get(value)?.name ?? this.#partNames().get(value);
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
  return JSON.parse(JSON.stringify(value).replaceAll(/[\uE000\uE001]urn:/g, "urn:")) as Json;
}
