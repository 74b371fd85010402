import { isArray, isObject, type Json, type JsonObject, parseJson } from "../../src/emulator/json.ts";
import { hows } from "./hows.ts";
import { idOf, plainKind, urnOf } from "./kinds/index.ts";
import { isQuestion } from "./questions.ts";
import type { Scene } from "./scene.ts";
import type { Act, ActKind, TimedAct } from "./story.ts";
import { kindsOfRoute } from "./trouble.ts";

/** Which thing an act is about, where that does not go by its place among all of its kind. */
export interface At {
  readonly urn?: string;
  /** Of what is to be made. */
  readonly name?: string;
  /** Of a row, or of a record of master data. */
  readonly key?: string;
}

/** Of a request: where it went, and what it asked for. */
export interface Asked {
  readonly path: string;
  readonly body: Json;
}

interface Aimed {
  readonly timed: TimedAct;
  readonly at: At;
}

/**
 * Says what an act is about that is about whatever the process that was cut off had sent. Of a creation that is one of its name,
 * or, before there is any, another one of that name; nothing where nobody was cut off, or where there is nothing to do it to.
 */
export function aim(scene: Scene, timed: TimedAct): Aimed | undefined {
  if (timed.kind !== "sent") return { timed, at: {} };
  const { sent } = scene;
  const asked = askedBy(scene);
  if (sent === undefined || asked === undefined) return undefined;
  const { path } = asked;
  for (const [kind, prefix] of ofRecords) {
    if (!path.startsWith(prefix)) continue;
    const keys = scene.records.get(kind)?.keysIn?.(asked) ?? [];
    const key = keys[timed.object % Math.max(1, keys.length)];
    return key === undefined ? undefined : { timed: { ...timed, kind }, at: { key } };
  }
  const kinds = kindsOfRoute(sent.route);
  const things = thingsIn(scene, asked);
  const thing = things[timed.object % Math.max(1, things.length)];
  if (thing === undefined || kinds.length === 0) return undefined;
  return "urn" in thing ? ofThere(scene, timed, thing.urn, kinds) : ofMade(scene, timed, thing.name, kinds);
}

/** What the process that was cut off had sent; undefined where nobody was cut off. */
export function askedBy(scene: Scene): Asked | undefined {
  const { sent } = scene;
  if (sent === undefined || isQuestion(sent.path)) return undefined;
  return { path: sent.path, body: sent.body ?? bodyOf(scene, sent) };
}

const ofRecords: readonly (readonly [kind: "rows" | "masters", prefix: string])[] = [
  ["rows", "/api/reference-data/"],
  ["masters", "/api/rest/"],
];

/** The service has not read it yet: as the process has sent it last. */
function bodyOf(
  { world }: Scene,
  { method, path }: { readonly method: string; readonly path: string },
): Json {
  const { sent } = world.network;
  const found = sent.findLast(
    (one) => one.method === method && decodeURIComponent(one.url.replace(/[?#].*$/, "")).endsWith(path),
  );
  return found === undefined || found.body === "" ? {} : parseJson(found.body);
}

type Thing = { readonly urn: string } | { readonly name: string };

function thingsIn({ books }: Scene, { path, body }: Asked): readonly Thing[] {
  const [, item = "", monitor] = /(urn:[^/]+)\/dq-monitors\/([^/]+)/.exec(path) ?? [];
  const primary = books.target.items.get(item)?.primaryMonitorUrn;
  if (monitor === "primary") return primary === undefined ? [] : [{ urn: primary }];
  const named =
    monitor !== undefined && monitor.startsWith("urn:")
      ? monitor
      : /\/(urn:[^/]+)(?:\/publish)?$/.exec(path)?.[1];
  if (named !== undefined) return [{ urn: named }];
  const list = isObject(body) ? Object.values(body).find((value) => isArray(value)) : body;
  const items =
    isArray(list) && list.every((one) => isObject(one) || typeof one === "string") ? list : [body];
  return items.flatMap((one): readonly Thing[] => {
    if (typeof one === "string") return [{ urn: one }];
    if (!isObject(one)) return [];
    const urn = ["urn", "entityUrn", "attributeUrn"]
      .map((field) => one[field])
      .find((value) => typeof value === "string");
    if (urn !== undefined) return [{ urn }];
    const name = nameIn(one);
    return name === undefined ? [] : [{ name }];
  });
}

function nameIn(body: JsonObject): string | undefined {
  const { name, properties } = body;
  if (typeof name === "string") return name;
  return isObject(properties) && typeof properties["name"] === "string" ? properties["name"] : undefined;
}

/** It was to be changed, or deleted. */
function ofThere(
  { books, judge }: Scene,
  timed: TimedAct,
  urn: string,
  kinds: readonly ActKind[],
): Aimed | undefined {
  const known = books.kindOf(books.target, urn);
  const isOver = (kind: ActKind): boolean => plainKind(kind)?.isOver === true;
  const kind =
    known !== undefined && (kinds.includes(known) || known === "primary-monitors")
      ? known
      : (kinds.find(isOver) ?? kinds[0] ?? "terms");
  const how = possible(kind, timed);
  if (how === undefined) return undefined;
  const source = judge.under?.pairs.get(idOf(kind, urn));
  if (timed.side === "source" && source === undefined) return undefined;
  const at = timed.side === "source" ? urnOf(source ?? "") : urn;
  return { timed: { ...timed, kind, how }, at: { urn: at } };
}

/** It was to be made. */
function ofMade(
  { books }: Scene,
  timed: TimedAct,
  name: string,
  [kind = "terms"]: readonly ActKind[],
): Aimed | undefined {
  const found = [...books.published(timed.side)].findLast(
    (one) => one.kind === kind && nameIn(one.body) === name,
  );
  if (found === undefined) {
    const isMade = timed.side === "target" && hows[kind]?.includes("create") === true;
    return isMade ? { timed: { ...timed, kind, how: "create" }, at: { name } } : undefined;
  }
  const how = possible(kind, timed);
  return how === undefined
    ? undefined
    : { timed: { ...timed, kind, how }, at: { urn: urnOf(found.urn), name } };
}

/** What a colleague can do to one of that kind: what was meant, or something else. */
function possible(kind: ActKind, { how, value }: Act): Act["how"] | undefined {
  const all = hows[kind] ?? [];
  return all.includes(how) ? how : all[value % Math.max(1, all.length)];
}
