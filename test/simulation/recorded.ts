import { isArray, isObject, type Json } from "../../src/emulator/json.ts";
import type { Ended } from "./ended.ts";
import type { FolderNode } from "./machinery/media.ts";
import { isQuestion } from "./questions.ts";
import type { Scene } from "./scene.ts";

/** When a request that changes something leaves, what it is about stands in an intent that no power loss can take. */
export function judgeRecords(scene: Scene): void {
  const { world, judge } = scene;
  world.network.onSend = (method, path, body) => {
    if (method === "GET" || !path.startsWith("/prod/") || isQuestion(path)) return;
    // It asks for the draft, and changes nothing.
    if (method === "PATCH" && body === "{}") return;
    for (const [urn] of body.matchAll(named))
      if (scene.story.isOne !== true && isAtSource(scene, urn))
        judge.breach("source-reference", `${method} ${path} names ${urn} of the source`);
    // What is done to rows stands in logs of their own.
    if (path.includes("/reference-data/")) return;
    const journal = durableJournal(scene);
    for (const about of subjectsOf(path, body)) {
      if (journal.includes(about)) continue;
      judge.breach("not-recorded", `${method} ${path} was sent, and no durable intent names ${about}`);
      return;
    }
  };
}

/** All of a text, but for the `id` of an item of a batch, by which it is answered for. */
const named = /(?<=(?<!"id":)")urn:data:dev:[^"]*[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=")/g;

/** A thing that is moved, or given. */
function isAtSource({ books, given }: Scene, urn: string): boolean {
  return books.version("source", urn) !== undefined || [...given.source.all.values()].includes(urn as never);
}

/** When a command has come to its end, no power loss takes away what it left of the shared state on its machine. */
export function judgeDurable({ world, judge }: Scene, { command: { does }, root }: Ended): void {
  const isOfRoot = (path: string): boolean =>
    `${path}/`.startsWith(`${root}/`) || root.startsWith(`${path}/`);
  const closed = [...world.media.namedFolders()].find(([path, folder]) =>
    [...folder.names].some(
      ([name, node]) =>
        node.type === "folder" &&
        isOfRoot(`${path}/${name}`) &&
        isOfState(node) &&
        folder.durable.get(name) !== node,
    ),
  );
  if (closed !== undefined)
    judge.breach(
      "not-durable",
      `${does} has come to its end, and a folder in ${closed[0]} can be lost with all in it`,
    );
  for (const [path, folder] of world.media.namedFolders()) {
    if (!path.startsWith(root) || !/^\/mappings\/[^./][^/]*$/.test(path.slice(root.length))) continue;
    for (const [name, node] of folder.names) {
      if (!/^[a-z_].*\.(?:json|ndjson)$/.test(name) || node.type !== "file") continue;
      // Losing it loses what somebody may be told, and nothing else.
      if (name === "applied.ndjson") continue;
      if (folder.durable.get(name) === node && node.durable.equals(node.data)) continue;
      judge.breach(
        "not-durable",
        `${does} has come to its end, and ${path}/${name} is not on the disk as it is`,
      );
    }
  }
}

/** Holds a journal or a mapping, or a folder that does. */
function isOfState(folder: FolderNode): boolean {
  return [...folder.names].some(([name, node]) =>
    node.type === "folder" ? isOfState(node) : name === "journal.ndjson",
  );
}

/** Of whichever machine. */
function durableJournal({ world }: Scene): string {
  let found = "";
  for (const [path, { durable }] of world.media.files())
    if (path.endsWith("/journal.ndjson") && path.includes("/mappings/")) found += durable.toString("utf8");
  return found;
}

/** The ids in its path; without any, the names of what it sends. */
function subjectsOf(path: string, body: string): readonly string[] {
  const sent = parsed(body);
  if (path.endsWith("/documentation-flow/start"))
    return isObject(sent) ? [JSON.stringify(sent["configurationUrn"] ?? null)] : [];
  const ids = path.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
  if (ids.length > 0) return ids.slice(-1);
  const items = isObject(sent) ? (isArray(sent["data"]) ? sent["data"] : [sent]) : isArray(sent) ? sent : [];
  return items.flatMap((item) =>
    isObject(item) && item["name"] !== undefined ? [JSON.stringify(item["name"])] : [],
  );
}

function parsed(body: string): Json | undefined {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return undefined;
  }
}
