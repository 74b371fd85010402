import type { Tenant } from "../../src/emulator/index.ts";
import { isObject, type Json, type JsonObject } from "../../src/emulator/json.ts";
import { isUuid } from "../../src/model/urn.ts";
import type { BookKind } from "./books.ts";
import { asKept } from "./forms.ts";
import { pathOf } from "./kinds/folders.ts";
import { isPlain, plainKind } from "./kinds/index.ts";
import { without } from "./model-changes.ts";
import { type Leaves, leavesOf } from "./leaves.ts";
import { withoutGroup } from "./unpaired-group.ts";
import type { Pair, Scene } from "./scene.ts";

/**
 * Whether what a source object says stands at its twin: told by replacing ids, with nothing of the code that the tool
 * compares and rewrites with.
 */
export class Content {
  readonly #ids = new Map<string, string>();
  /**
   * Of what is gone at the source and paired no more: whoever mentions it still leads nowhere, by the old id or by that of
   * any twin that it had: a rollback may have given an earlier one back.
   */
  readonly #forgotten = new Map<string, string>();
  readonly #scene: Scene;

  constructor(scene: Scene, pairs: readonly Pair[]) {
    this.#scene = scene;
    const { source, target } = scene.given;
    for (const [name, urn] of source.all)
      this.#ids.set(urn.slice(-36), (target.all.get(name) ?? "").slice(-36));
    // What lies over a thing may be paired with what lay over the twin that it had before.
    const isOver = ({ kind }: Pair): boolean => isPlain(kind) && plainKind(kind)?.isOver === true;
    for (const pair of pairs.toSorted((one, other) => Number(isOver(other)) - Number(isOver(one)))) {
      this.#ids.set(pair.source.slice(-36), pair.target.slice(-36));
      for (const [from, to] of Object.entries(pair.keys)) this.#ids.set(from, to);
      if (pair.kind === "sql-items") this.#learnColumns(pair);
    }
    const taken = new Set(pairs.map(({ target }) => target.slice(-36)));
    for (const [from, twins] of scene.twins) {
      const id = from.slice(-36);
      if (this.#ids.has(id) || scene.books.version("source", from) !== undefined) continue;
      const had = [...twins].map((twin) => twin.slice(-36));
      const last = had.at(-1) ?? "";
      this.#ids.set(id, last);
      for (const other of [id, ...had.filter((twin) => !taken.has(twin))]) this.#forgotten.set(other, last);
    }
    for (const pair of pairs) if (Object.keys(pair.keys).length === 0) this.#learnParts(pair);
    this.#learnGiven();
  }

  /**
   * To a team that does not select SQL items they are given: what its objects refer to is looked for by folders and name (plans/README),
   * and no row of the mapping says so while the other team, which moves them, leaves that pair to a person.
   */
  #learnGiven(): void {
    const { books, isOfSecond, story } = this.#scene;
    if (story.teams === undefined || this.#scene.isSelected("sql-items", isOfSecond)) return;
    const at = (side: "source" | "target"): readonly (readonly [string, string])[] =>
      [...books.published(side)].flatMap(({ kind, urn, body: { name = "", folderUrn = "" } }) =>
        kind === "sql-items" ? [[urn, pathOf(books[side], { name, parentUrn: folderUrn })] as const] : [],
      );
    const theirs = Map.groupBy(at("target"), ([, place]) => place);
    for (const [urn, place] of at("source")) {
      const [found, ...others] = theirs.get(place) ?? [];
      if (found === undefined || others.length > 0 || this.#ids.has(urn.slice(-36))) continue;
      this.#ids.set(urn.slice(-36), found[0].slice(-36));
      this.#learnColumns({ source: urn, target: found[0] });
    }
  }

  /** No row pairs the columns of an SQL item: of its twin's they are those of the same name. */
  #learnColumns(pair: Pick<Pair, "source" | "target">): void {
    const { source, target } = this.#scene.books;
    const theirs = new Map(columnsOf(target, pair.target).map(({ name, urn }) => [name, urn]));
    for (const { name, urn } of columnsOf(source, pair.source)) {
      const twin = theirs.get(name);
      if (twin !== undefined) this.#ids.set(urn.slice(-36), twin.slice(-36));
    }
  }

  /** Of what a person has paired the mapping knows no parts until the first update: those are twins that say the same. */
  #learnParts({ source, target }: Pair): void {
    const { books } = this.#scene;
    const ours = books.version("source", source)?.published ?? {};
    if (!hasParts(ours)) return;
    const theirs = partsOf(books.version("target", target)?.published ?? {});
    for (const [what, ids] of partsOf(this.#translated(ours))) {
      const [id, ...others] = ids;
      const [twin, ...more] = theirs.get(what) ?? [];
      if (id === undefined || twin === undefined || others.length + more.length > 0) continue;
      if (!this.#ids.has(id)) this.#ids.set(id, twin);
    }
  }

  /**
   * Whether the twin says just what its source says, or said at some moment since then; but for what mentions one of these
   * ids.
   */
  isSame(
    pair: Pair,
    since: number,
    target = this.#scene.books.version("target", pair.target)?.published,
    except: ReadonlySet<string> = new Set(),
  ): boolean {
    const now = this.#scene.books.version("source", pair.source)?.published;
    const isExcepted = (line: string): boolean => [...except].some((id) => line.includes(id));
    return [now, ...this.#scene.judge.sourceSince(pair.source, since)].some(
      (source) => source !== undefined && this.lacks(pair, true, target, source).every(isExcepted),
    );
  }

  /** Of what the twin says, what its source said as well at some moment since then, where it lacks nothing of that. */
  agreed(pair: Pair, since: number, target: JsonObject): Leaves | undefined {
    const now = this.#scene.books.version("source", pair.source)?.published;
    const said = [now, ...this.#scene.judge.sourceSince(pair.source, since)].flatMap((source) =>
      source !== undefined && this.lacks(pair, false, target, source).length === 0
        ? [leavesOf(this.#translated(source))]
        : [],
    );
    if (said.length === 0) return undefined;
    const isSaid = ([path, value]: readonly [string, string]): boolean =>
      said.some((leaves) => leaves.get(path) === value);
    return new Map([...leavesOf(target)].filter(isSaid));
  }

  /** Of these, what the source says nothing of: what is kept against its word is not the target's alone. */
  unsaid({ source }: Pair, leaves: Leaves): Leaves {
    const said = leavesOf(this.#translated(this.#scene.books.version("source", source)?.published ?? {}));
    return new Map([...leaves].filter(([path]) => !said.has(path)));
  }

  /** What the twin lacks of its source, one line each; `exactly` asks the other way round as well. */
  lacks(
    pair: Pair,
    exactly = false,
    target = this.#scene.books.version("target", pair.target)?.published,
    source = this.#scene.books.version("source", pair.source)?.published,
  ): readonly string[] {
    if (source === undefined || target === undefined) return [];
    const { colleague } = this.#scene;
    const otherwise = new Set([...colleague.otherwise("source"), ...colleague.otherwise("target")]);
    const kind = pair.kind as BookKind;
    const expected = without(kind, this.#comparable(this.#translated(source)), otherwise);
    const actual = without(kind, this.#comparable(this.#forgetting(target)), otherwise);
    return [
      ...missing(expected, actual, ""),
      ...(exactly ? missing(actual, expected, "").map((line) => `only at the target: ${line}`) : []),
    ];
  }

  /** Whether an empty text stands at one of the two alone: to the tool it is a word, and what says nothing is none. */
  isEmptyAtOne({ source, target }: Pair): boolean {
    const { books } = this.#scene;
    const [ours, theirs] = [books.version("source", source), books.version("target", target)];
    return emptyTexts(ours?.published ?? {}).join() !== emptyTexts(theirs?.published ?? {}).join();
  }

  /** Whether it mentions what is gone at the source: the twin leads to what that had there, as nothing but the mapping can tell. */
  leadsNowhere({ source }: Pair): boolean {
    const said = JSON.stringify(this.#scene.books.version("source", source)?.published ?? {});
    return [...this.#forgotten.keys()].some((id) => said.includes(id));
  }

  #forgetting(target: JsonObject): Json {
    return this.#forgotten.size === 0 ? target : replaced(JSON.stringify(target), this.#forgotten);
  }

  /** Whether a schedule is on is the policy's business where it says so. */
  #comparable(body: Json): Json {
    const value = plain(body);
    if (!this.#scene.everSays("schedules", "disable") || !isObject(value) || !isObject(value["schedule"]))
      return value;
    const { enabled: _either, ...schedule } = value["schedule"];
    return { ...value, schedule };
  }

  #translated(body: JsonObject): Json {
    const { unpairedGroup } = this.#scene;
    const moved = unpairedGroup === undefined ? body : withoutGroup(body, unpairedGroup);
    const text = JSON.stringify(moved).replaceAll(
      /urn:data:dev:(?=[a-z-]+:[a-z-]+:[0-9a-f-]{36})/g,
      "urn:data:prod:",
    );
    return replaced(text, this.#ids);
  }
}

function replaced(text: string, ids: ReadonlyMap<string, string>): Json {
  return JSON.parse(text.replaceAll(uuids, (id) => ids.get(id) ?? id)) as Json;
}

function columnsOf({ attributes }: Tenant, item: string): readonly { name: string; urn: string }[] {
  return [...attributes.values()].filter(({ catalogItemUrn }) => catalogItemUrn === item);
}

function hasParts(body: Json): boolean {
  return isObject(body) && Object.entries(body).some(([name, field]) => isUuid(name) || hasParts(field));
}

/** Keys of parts, by where they stand and what they say but for ids. */
function partsOf(body: Json, at = "", found = new Map<string, string[]>()): Map<string, string[]> {
  if (!isObject(body)) return found;
  for (const [name, field] of Object.entries(body)) {
    const isPart = isUuid(name);
    if (isPart) {
      const what = `${at} ${JSON.stringify(plain(field)).replaceAll(uuids, "")}`;
      found.set(what, [...(found.get(what) ?? []), name]);
    }
    partsOf(field, `${at}/${isPart ? "*" : name}`, found);
  }
  return found;
}

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const served = new Set(["draftType", "termRuleInstances", "nextRun", "correlationId"]);

/** Without what means "not set". */
function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, field]): [string, Json] => [
    name,
    asKept(name, plain(field)),
  ]);
  const kept = entries.filter(([name, field]) => !served.has(name) && !isEmpty(field));
  return Object.fromEntries(kept);
}

function isEmpty(value: Json): boolean {
  return value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}

/** Names of what is an empty text, in order: keys of parts are others on each side. */
function emptyTexts(value: Json): readonly string[] {
  const inside = Array.isArray(value)
    ? value.map((one) => ["", one] as const)
    : isObject(value)
      ? Object.entries(value)
      : [];
  return inside.flatMap(([name, field]) => (field === "" ? [name] : emptyTexts(field))).toSorted();
}

/** Lists are sets here; an object may have more than is expected of it. */
function missing(expected: Json, actual: Json | undefined, at: string): readonly string[] {
  if (Array.isArray(expected)) {
    const list = Array.isArray(actual) ? actual : [];
    return expected.flatMap((element) =>
      list.some((other) => missing(element, other, at).length === 0)
        ? []
        : [`${at} lacks ${JSON.stringify(element)}`],
    );
  }
  if (isObject(expected)) {
    const found = isObject(actual) ? actual : {};
    return Object.entries(expected).flatMap(([name, field]) =>
      missing(field, Object.hasOwn(found, name) ? found[name] : undefined, `${at}/${name}`),
    );
  }
  return expected === actual
    ? []
    : [`${at} is ${JSON.stringify(actual) ?? "absent"} and should be ${JSON.stringify(expected)}`];
}
