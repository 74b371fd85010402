import type { LogEntry } from "../../../src/emulator/index.ts";
import { isObject, type JsonObject } from "../../../src/emulator/json.ts";
import type { World } from "../../support/world.ts";

/** Requests that only look, or sign in, though their method is POST. */
const lookups = ["/token", "/filter"];

function isWrite({ method, route }: LogEntry): boolean {
  return method !== "GET" && !lookups.some((end) => route.endsWith(end));
}

/** An empty merge patch changes nothing: it asks for the draft of a rule, which no read is known to show. */
function isQuestion({ method, body }: LogEntry): boolean {
  return method === "PATCH" && isObject(body) && Object.keys(body).length === 0;
}

/** The requests that change something at the target since the log was cleared. */
export function writes(world: World): readonly LogEntry[] {
  return world.emulator.log.entries.filter(
    (entry) => entry.tenant === "prod" && isWrite(entry) && !isQuestion(entry),
  );
}

/** `PATCH rules/:urn`: the method and the route below the interface. */
export function written(world: World): readonly string[] {
  return writes(world).map(({ route }) => route.replace(/\/api\/[a-z-]+\/v1\//, ""));
}

/** Writes at the source: there must never be any. */
export function sourceWrites(world: World): readonly LogEntry[] {
  return world.emulator.log.entries.filter((entry) => entry.tenant === "dev" && isWrite(entry));
}

/** The bodies of the PATCH requests at the target, in order. */
export function patches(world: World): readonly JsonObject[] {
  return writes(world).flatMap(({ method, body }) => (method === "PATCH" && isObject(body) ? [body] : []));
}

/** The body of the only PATCH request. */
export function onlyPatch(world: World): JsonObject {
  const found = patches(world);
  const [first] = found;
  if (first === undefined || found.length > 1)
    throw new Error(`one PATCH was expected: ${JSON.stringify(found)}`);
  return first;
}
