import { isArray, isObject, type Json, type JsonObject } from "../../../src/emulator/json.ts";
import type { SimulatedHeaders } from "./headers.ts";
import type { Sent } from "../../../src/emulator/index.ts";

/** What an answer says that is not so. */
export type Tampering =
  /** The first thing that was made is said to have the id of one that was there before. */
  | "taken-id"
  /** A page has no items, and there are more pages. */
  | "empty-page"
  /** Two of the ids in a list are the same. */
  | "same-id-twice"
  /** An error that quotes what it was sent: token, secret and all. */
  | "echo"
  /** A refusal that quotes the same. */
  | "refusal";

/** A thing of that kind which was there before, by the part of a URN in front of its UUID. */
export type OldestOf = (prefix: string) => string | undefined;

export function tampered(
  sent: Sent,
  lie: Tampering,
  request: { readonly headers: SimulatedHeaders; readonly body: string; readonly oldest: OldestOf },
): Sent {
  // What was made has to be named somewhere for those who judge.
  if (lie === "refusal" && sent.content.length > 0 && parse(sent.content) === undefined) return sent;
  if (lie === "echo" || lie === "refusal")
    return echo(request.headers, request.body, lie === "echo" ? 500 : 400);
  // Of what breaks off nobody reads a word: it tells no lie either.
  const parsed = sent.isTruncated ? undefined : parse(sent.content);
  if (parsed === undefined) return sent;
  const content = lie === "taken-id" ? withTakenId(parsed, request.oldest) : lied(parsed, lie);
  return content === undefined ? sent : { ...sent, content: Buffer.from(JSON.stringify(content)) };
}

function parse(content: Buffer): JsonObject | undefined {
  try {
    const value = JSON.parse(content.toString("utf8")) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function echo(headers: SimulatedHeaders, body: string, status: number): Sent {
  const detail = `Could not handle: ${headers.get("authorization") ?? ""} ${body.slice(0, 2_000)}`;
  const problem = { type: "about:blank", title: "It cannot be done", status, detail };
  return {
    status,
    headers: { "Content-Type": "application/problem+json" },
    content: Buffer.from(JSON.stringify(problem)),
    isTruncated: false,
  };
}

function withTakenId(body: JsonObject, oldest: OldestOf): JsonObject | undefined {
  const { results, data } = body;
  if (isArray(results)) {
    const [first, ...rest] = results;
    if (!isObject(first) || !isObject(first["data"])) return undefined;
    const lying = withTakenUrn(first["data"], oldest);
    return lying === undefined ? undefined : { ...body, results: [{ ...first, data: lying }, ...rest] };
  }
  // Of a list of what is there nobody could tell; of what was just made it cannot be.
  if (!isArray(data) || body["meta"] !== undefined) return undefined;
  const [first, ...rest] = data;
  const lying = isObject(first) ? withTakenUrn(first, oldest) : undefined;
  return lying === undefined ? undefined : { ...body, data: [lying, ...rest] };
}

function withTakenUrn(body: JsonObject, oldest: OldestOf): JsonObject | undefined {
  const { urn } = body;
  if (typeof urn !== "string") return undefined;
  const taken = oldest(urn.slice(0, -36));
  return taken === undefined || taken === urn ? undefined : { ...body, urn: taken };
}

function lied(body: JsonObject, lie: "empty-page" | "same-id-twice"): JsonObject | undefined {
  const list = body["data"];
  if (!isArray(list) || !isObject(body["meta"]) || list.length === 0) return undefined;
  if (lie === "empty-page") return { ...body, data: [] };
  const [first, second, ...rest] = list;
  if (!isObject(first) || !isObject(second) || second["urn"] === undefined) return undefined;
  return { ...body, data: [{ ...first, urn: second["urn"] }, second, ...rest] };
}
