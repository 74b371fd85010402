import type { Json, JsonObject, MutableJson } from "../../model/json.ts";
import { own, setOwn } from "../../model/json.ts";
import type { MasterDataWriteClient, Written } from "../../service/index.ts";
import type { RowAnswer, RowTask, TableWriter } from "../kind.ts";
import { answerEach, failed, inPart, isLost, isRefused } from "./answers.ts";
import { activeName, keyIn, overridden, related, timestampName } from "./instance-rows.ts";
import { setActive } from "./record-activity.ts";
import { absentEnds } from "./related-instances.ts";

/**
 * Writes instance records by origin and source id (document 3, "Modify"): an upsert, so that what was lost is sent again.
 * Overrides and activity follow where they differ, by the id that the target gives.
 */
export function instanceWriter(
  client: MasterDataWriteClient,
  entity: string,
  patienceMs: number,
): TableWriter {
  const of = { layer: "instance", entity } as const;
  const { records } = client;

  async function one(task: RowTask): Promise<RowAnswer> {
    const whole = { ...task.before, ...task.values };
    const key = keyIn(whole);
    const { attributes, overrides, cleared, active, relationships, sourceTimestamp } = partsOf(task.values);
    let id = task.address;
    let isBegun = false;
    try {
      const hasContent =
        Object.keys(attributes).length > 0 || relationships !== undefined || sourceTimestamp !== undefined;
      if (hasContent || task.action === "create") {
        // Where nothing of them is to change, nothing is said of them.
        const isSilent = task.action === "update" && Object.keys(attributes).length === 0;
        const content = {
          ...(isSilent ? {} : { attributes }),
          ...(relationships === undefined ? {} : { relationships }),
          ...(sourceTimestamp === undefined ? {} : { sourceTimestamp }),
        };
        const written = await records.putInstance(of, key, content);
        // What more there is to be said of it is nothing to be laid over somebody's record unasked.
        if (task.action === "create" && id === undefined && task.wasSent !== true && isOver(written))
          return { state: "done", address: written.id ?? "", met: true };
        id = written.id ?? id;
        isBegun = true;
      }
      if (Object.keys(overrides).length + cleared.length > 0 || active !== undefined)
        id ??= (await records.record(of, key))?.id;
      if (id === undefined) return { state: "done", address: "" };
      if (Object.keys(overrides).length > 0) {
        await records.setOverrides(of, id, overrides);
        isBegun = true;
      }
      for (const attribute of cleared) {
        await records.removeOverride(of, id, attribute);
        isBegun = true;
      }
      // What is new is active; what a rollback makes again is there, deactivated.
      const isAgain = task.action === "create" && task.address !== undefined;
      if (active === false || isAgain || (active === true && task.action === "update"))
        await setActive(client, of, id, active !== false);
      return { state: "done", address: id };
    } catch (error) {
      if (isBegun) return inPart(error, id ?? "");
      if (isRefused(error)) return { state: "refused", reason: error.message };
      if (isLost(error)) return { state: "unknown", reason: String(error) };
      throw error;
    }
  }

  /** A deactivation, not a deletion: the record stays, with what it is to say. Said last, it could count again by that. */
  async function remove(task: RowTask): Promise<RowAnswer> {
    const { address, before = {}, values } = task;
    const said = Object.keys(values).length === 0 ? undefined : await one({ ...task, action: "update" });
    if (said !== undefined && said.state !== "done") return said;
    const short = said?.short === undefined ? {} : { short: said.short };
    try {
      const id = address ?? (await records.record(of, keyIn(before)))?.id;
      if (id === undefined) return { state: "done", address: "" };
      const { change } = await records.deactivateOnce(of, id);
      return { state: "done", address: id, ...short, ...(change === "NONE" ? { wasSo: true } : {}) };
    } catch (error) {
      // What it is to say was written: the record is nobody else's word because it counts still.
      const begun = said === undefined ? {} : { begun: true as const };
      if (isRefused(error)) return { state: "refused", reason: error.message, ...begun };
      if (isLost(error)) return { state: "unknown", reason: String(error) };
      return { ...failed(error), ...begun };
    }
  }

  return {
    perBatch: 50,
    repeats: true,
    blame: () => [],
    async send(tasks) {
      const absent = await absentEnds(client, tasks);
      return answerEach(tasks, async (task) => {
        const reason = absent.get(task);
        if (reason !== undefined) return { state: "refused", reason };
        return task.action === "delete" ? remove(task) : one(task);
      });
    },
    release: {
      // It counts at once; reading it back shows what the server made of it.
      perRelease: 100,
      patienceMs,
      send: async () => ({ state: "accepted" }),
      review: async () => "approved",
    },
  };
}

/** There was one of that key; what says nothing of it, or speaks of a second attempt, is no word of that. */
function isOver({ change, isAgain }: Written): boolean {
  return isAgain !== true && (change === "UPDATE" || change === "UPDATED" || change === "NONE");
}

interface Parts {
  readonly attributes: JsonObject;
  readonly overrides: JsonObject;
  readonly cleared: readonly string[];
  readonly active: boolean | undefined;
  readonly sourceTimestamp: string | undefined;
  readonly relationships:
    | Readonly<Record<string, readonly { origin: string; sourceId: string; attributes: JsonObject }[]>>
    | undefined;
}

function partsOf(values: JsonObject): Parts {
  const attributes: MutableJson = {};
  const overrides: MutableJson = {};
  const cleared: string[] = [];
  const roles: Record<string, { origin: string; sourceId: string; attributes: JsonObject }[]> = {};
  for (const [name, value] of Object.entries(values)) {
    const over = overridden(name);
    const to = related(name);
    if (over !== undefined && value === null) cleared.push(over);
    else if (over !== undefined) setOwn(overrides, over, value);
    else if (to !== undefined && value === true)
      roles[to[0]] = [...(roles[to[0]] ?? []), { origin: to[1], sourceId: to[2], attributes: {} }];
    else if (!name.startsWith("(")) setOwn(attributes, name, value);
  }
  const active: Json | undefined = own(values, activeName);
  const time: Json | undefined = own(values, timestampName);
  return {
    attributes,
    overrides,
    cleared,
    active: typeof active === "boolean" ? active : undefined,
    // None takes one away: what a row had none of before keeps the one that it was given.
    sourceTimestamp: typeof time === "string" ? time : undefined,
    relationships: Object.keys(roles).length === 0 ? undefined : roles,
  };
}
