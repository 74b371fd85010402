import { isArray, isObject, type Json, type JsonObject } from "../../src/emulator/json.ts";
import { isLeft, lineOf } from "./left.ts";
import type { Ended } from "./ended.ts";
import { isQuestion } from "./questions.ts";
import { rowKey } from "./rows.ts";
import type { Scene } from "./scene.ts";

/** Where both sides say the same of everything, the first run pairs all of it and writes nothing. */
export function judgeMirrored(scene: Scene, { result }: Ended): void {
  if (result === undefined) return;
  for (const write of writes(scene))
    scene.judge.breach("not-paired-again", `where both sides are alike a run sends ${write}`);
  for (const change of result.changes.filter(isLeft))
    scene.judge.breach("not-paired-again", `where both sides are alike it is left: ${lineOf(change)}`);
}

/** And rows that are named with their key alone ask for their drafts. */
function asksForRows({ records }: JsonObject): boolean {
  const asks = (record: Json): boolean =>
    isObject(record) &&
    record["urn"] !== undefined &&
    isArray(record["values"]) &&
    record["values"].every((value) => isObject(value) && value["name"] === rowKey);
  return isArray(records) && records.every(asks);
}

/** Requests of the last command that may have changed the target. */
export function writes({ world }: Scene): readonly string[] {
  return (
    world.emulator.log.entries
      .filter(({ tenant, method, path }) => tenant === "prod" && method !== "GET" && !isQuestion(path))
      // A flow that the plan asks for in every run is no change.
      .filter(({ path }) => !path.endsWith("/documentation-flow/start"))
      // What the service refuses is tried again by each run, and said each time.
      .filter(({ status }) => status < 400)
      // An empty patch asks for the draft of a rule, and changes nothing.
      .filter(({ body }) => !isObject(body) || Object.keys(body).length > 0)
      .filter(({ body }) => !isObject(body) || !asksForRows(body))
      .map(({ method, path }) => `${method} ${path}`)
  );
}
