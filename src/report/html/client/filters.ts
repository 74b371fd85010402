import type { Entry, Payload } from "../payload.ts";
import type { Bodies } from "./bodies.ts";

export interface Filters {
  readonly query: string;
  readonly states: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
  readonly sort: string;
}

export interface Store {
  readonly current: () => Filters;
  /** The id in the address, to be opened at the start. */
  readonly opened: () => string | undefined;
  readonly set: (change: Partial<Filters>) => void;
  /** Puts an object into the address, so that the address can be sent to somebody. */
  readonly open: (entry: Entry) => void;
  readonly onChange: (listener: () => void) => void;
  /** What passes the filters, sorted. */
  readonly select: () => readonly Entry[];
  readonly countOf: (state: string) => number;
  /** Something is filtered: what is left is looked for, one by one. */
  readonly isNarrow: () => boolean;
}

interface Texts {
  readonly words: string;
  readonly ids: string;
}

/** What is shown. It lives in the address after `#`: a reload or a copied link shows the same. */
export function filters(data: Payload, { whole, sizeOf }: Bodies): Store {
  const none: Filters = { query: "", states: new Set(), kinds: new Set(), sort: "order" };
  const listeners: (() => void)[] = [];
  const texts = new Map<number, Texts>();
  const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
  const wholeId = new RegExp(uuid, "u");
  const anyId = new RegExp(`(?:urn:[\\w:.-]*)?${uuid}`, "gu");
  let state = none;
  let openId: string | undefined;

  function read(): void {
    const found = new URLSearchParams(location.hash.slice(1));
    const known = (key: string, from: readonly string[]): ReadonlySet<string> =>
      new Set(found.getAll(key).filter((value) => from.includes(value)));
    state = {
      query: found.get("q") ?? "",
      states: known(
        "action",
        data.counts.map((count) => count.state),
      ),
      kinds: known("kind", data.kinds),
      sort: found.get("sort") ?? "order",
    };
    openId = found.get("open") ?? undefined;
  }

  function write(): void {
    const parts = new URLSearchParams();
    if (state.query !== "") parts.set("q", state.query);
    for (const value of state.states) parts.append("action", value);
    for (const value of state.kinds) parts.append("kind", value);
    if (state.sort !== "order") parts.set("sort", state.sort);
    if (openId !== undefined) parts.set("open", openId);
    history.replaceState(null, "", `#${parts.toString()}`);
  }

  function set(change: Partial<Filters>): void {
    state = { ...state, ...change };
    write();
    for (const listener of listeners) listener();
  }

  /** Names, values and what is said of it; ids are found as a whole and not by a part of one. */
  function textOf(row: Entry): Texts {
    const known = texts.get(row.at);
    if (known !== undefined) return known;
    const entry = whole(row);
    const values = entry.fields.flatMap(({ path, base, from, to }) => [
      path,
      base?.name,
      base?.text,
      from?.name,
      from?.text,
      to?.name,
      to?.text,
    ]);
    const notes = entry.notes.flatMap((note) => [note.code, note.text, note.where, note.detail]);
    const own = [entry.name, entry.kind, entry.label, entry.reason, ...entry.steps, entry.pulledInBy?.text];
    const all = [...own, entry.urn, entry.otherUrn, ...values, ...notes].join("\n").toLowerCase();
    const found = { words: all.replace(anyId, " "), ids: all };
    texts.set(row.at, found);
    return found;
  }

  function has(entry: Entry, word: string): boolean {
    const text = textOf(entry);
    return wholeId.test(word) ? text.ids.includes(word) : text.words.includes(word);
  }

  function hasState(entry: Entry, wanted: string): boolean {
    return entry.state === wanted || entry.action === wanted;
  }

  function select(): readonly Entry[] {
    const words = state.query
      .toLowerCase()
      .split(/\s+/u)
      .filter((word) => word !== "");
    const found = data.items.filter(
      (entry) =>
        (state.states.size === 0 || [...state.states].some((wanted) => hasState(entry, wanted))) &&
        (state.kinds.size === 0 || state.kinds.has(entry.kind)) &&
        words.every((word) => has(entry, word)),
    );
    const collator = new Intl.Collator(undefined, { numeric: true });
    const by: Readonly<Record<string, (a: Entry, b: Entry) => number>> = {
      name: (a, b) => collator.compare(a.name, b.name),
      kind: (a, b) => collator.compare(a.kind, b.kind),
      fields: (a, b) => sizeOf(b) - sizeOf(a),
    };
    const compare = Object.hasOwn(by, state.sort) ? by[state.sort] : undefined;
    return compare === undefined ? found : found.sort(compare);
  }

  read();
  addEventListener("hashchange", () => {
    read();
    for (const listener of listeners) listener();
  });
  return {
    current: () => state,
    opened: () => openId,
    set,
    open: (entry) => {
      openId = entry.id;
      write();
    },
    onChange: (listener) => listeners.push(listener),
    select,
    isNarrow: () => state.query !== "" || state.states.size > 0 || state.kinds.size > 0,
    countOf: (wanted) => data.items.filter((entry) => hasState(entry, wanted)).length,
  };
}
