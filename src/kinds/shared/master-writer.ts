import { stableText } from "../../model/canonical.ts";
import { display } from "../../model/display.ts";
import type { Json, JsonObject, MutableJson } from "../../model/json.ts";
import { own, setOwn } from "../../model/json.ts";
import type { MasterDataWriteClient, MasterEntity } from "../../service/index.ts";
import type { FoundCreate, RowAnswer, RowTask, TableWriter } from "../kind.ts";
import { answerEach, failed, inPart, isLost, isRefused } from "./answers.ts";
import { keyTextOf, mastersByKey } from "./master-lookup.ts";
import { keyParts, inactiveName, masterRelation } from "./master-rows.ts";
import type { ColumnText, MasterRelation } from "./master-rows.ts";
import { setActive } from "./record-activity.ts";
import { shown } from "./row-values.ts";

export interface MasterWriterOptions {
  readonly client: MasterDataWriteClient;
  readonly of: MasterEntity;
  readonly key: readonly string[];
  /** By which columns masters of another entity of the view are known. */
  readonly keyOf: (entity: string) => readonly string[] | undefined;
  readonly text: ColumnText;
  readonly textOf: (entity: string) => Promise<ColumnText>;
  /** Whether the plan names masters of another entity after these. */
  readonly isLater: (entity: string) => boolean;
  readonly patienceMs: number;
}

/**
 * Writes masters that people author (document 3, "Modify", master views). Their ids are generated, so a create whose
 * answer was lost is looked for by its key, and sent again only when it is not there.
 */
export function masterWriter({
  client,
  of,
  key,
  keyOf,
  text,
  textOf,
  isLater,
  patienceMs,
}: MasterWriterOptions): TableWriter {
  const { records } = client;

  /** After all else of it was written. */
  async function lastly(id: string, isActive: boolean): Promise<RowAnswer> {
    try {
      await setActive(client, of, id, isActive);
      return { state: "done", address: id };
    } catch (error) {
      return inPart(error, id);
    }
  }

  async function create(task: RowTask, ids: ReadonlyMap<string, string>): Promise<RowAnswer> {
    const relationships: Record<string, JsonObject[]> = {};
    for (const relation of relationsOf(task)) {
      const id = ids.get(endOf(relation));
      if (id === undefined) return { state: "refused", reason: absent(relation, isLater(relation.entity)) };
      relationships[relation.role] = [...(relationships[relation.role] ?? []), { id: numeric(id) }];
    }
    const written = await records.createMaster(of, {
      attributes: attributesOf(task.values),
      ...(Object.keys(relationships).length === 0 ? {} : { relationships }),
    });
    if (written.id === undefined) return { state: "unknown", reason: "the answer does not say its id" };
    return rest(written.id, task);
  }

  /**
   * What a master has beside what is moved comes by a request of its own: where the server does not take that, the rest is there. All of it
   * is in that request, since a server may take what a change does not name for empty.
   */
  async function rest(id: string, { values, unmoved = {} }: RowTask): Promise<RowAnswer> {
    try {
      if (Object.keys(unmoved).length > 0)
        await records.updateMaster(of, id, { ...attributesOf(values), ...unmoved });
    } catch (error) {
      return inPart(error, id);
    }
    return own(values, inactiveName) === true ? lastly(id, false) : { state: "done", address: id };
  }

  async function update({ address = "", values }: RowTask): Promise<RowAnswer> {
    const attributes = attributesOf(values);
    if (Object.keys(attributes).length > 0) {
      const { id } = await records.updateMaster(of, address, attributes);
      // A PUT of what is not there becomes an insert, and ids are generated.
      if (id !== undefined && id !== address)
        return {
          state: "refused",
          reason: `it was removed at the target meanwhile, and the server made record ${id} of the change alone: look at that one in the web application`,
        };
    }
    const inactive = own(values, inactiveName);
    if (inactive === undefined) return { state: "done", address };
    if (Object.keys(attributes).length === 0) {
      await setActive(client, of, address, inactive !== true);
      return { state: "done", address };
    }
    return lastly(address, inactive !== true);
  }

  async function remove({ address = "" }: RowTask): Promise<RowAnswer> {
    try {
      await records.deleteMaster(of, address);
    } catch (error) {
      // What is gone was what was wanted: an earlier request, whose answer was lost, may have done it; or somebody else.
      if (!isRefused(error) || (await records.record(of, { id: address })) !== undefined) throw error;
      return { state: "done", address, wasSo: true };
    }
    return { state: "done", address };
  }

  async function one(task: RowTask, ids: ReadonlyMap<string, string>): Promise<RowAnswer> {
    try {
      if (task.action === "create") return await create(task, ids);
      return await (task.action === "update" ? update(task) : remove(task));
    } catch (error) {
      if (isRefused(error)) return { state: "refused", reason: error.message };
      if (isLost(error)) return { state: "unknown", reason: String(error) };
      throw error;
    }
  }

  /** Ids of the masters that new ones are related to. */
  async function endsOf(tasks: readonly RowTask[]): Promise<ReadonlyMap<string, string>> {
    const creates = tasks.filter(({ action }) => action === "create");
    const all = new Map(creates.flatMap(relationsOf).map((relation) => [endOf(relation), relation]));
    const ids = new Map<string, string>();
    for (const [entity, group] of Map.groupBy(all.values(), (relation) => relation.entity)) {
      const columns = keyOf(entity) ?? [];
      const keys = group.map((relation) => relation.key);
      const theirs = await textOf(entity);
      const found = await mastersByKey(client, { ...of, entity }, columns, keys, theirs);
      for (const relation of group) {
        const there = found.get(keyTextOf(columns, relation.key, theirs)) ?? [];
        const [only] = there;
        if (only !== undefined && there.length === 1) ids.set(endOf(relation), only.id);
      }
    }
    return ids;
  }

  /** Those that are related to one another are made one after the other, as far as they can be told apart. */
  async function send(tasks: readonly RowTask[]): Promise<readonly RowAnswer[]> {
    const answers = new Map<RowTask, RowAnswer>();
    let stopped: RowAnswer | undefined;
    for (let left = tasks; left.length > 0 && stopped === undefined;) {
      const ids = await endsOf(left).catch((error: unknown) => {
        // Some were written: what is left was not sent, and that says nothing of them.
        if (answers.size === 0) throw error;
        stopped = failed(error);
        return undefined;
      });
      if (ids === undefined) break;
      const isReady = (task: RowTask): boolean =>
        task.action !== "create" || relationsOf(task).every((relation) => ids.has(endOf(relation)));
      const ready = left.filter(isReady);
      const now = ready.length === 0 ? left : ready;
      for (const [index, answer] of (await answerEach(now, async (task) => one(task, ids))).entries()) {
        const task = now[index];
        if (task !== undefined) answers.set(task, answer);
        if (answer.state === "failed") stopped = answer;
      }
      left = left.filter((task) => !answers.has(task));
    }
    const rest = stopped ?? { state: "unknown", reason: "it was not sent" };
    return tasks.map((task) => answers.get(task) ?? rest);
  }

  /** What of these is there; one that is there and still active is brought to where it was to be. */
  async function find(tasks: readonly RowTask[]): Promise<ReadonlyMap<string, FoundCreate>> {
    const keyIn = ({ values }: RowTask): readonly Json[] => keyParts(key, values);
    const found = await mastersByKey(client, of, key, tasks.map(keyIn), text);
    const result = new Map<string, FoundCreate>();
    for (const task of tasks) {
      const [record, ...more] = found.get(keyTextOf(key, keyIn(task), text)) ?? [];
      if (record === undefined) continue;
      const other = Object.entries(attributesOf(task.values)).find(
        ([name, value]) => text(name, own(record.attributes, name) ?? null) !== text(name, value),
      );
      if (more.length > 0)
        result.set(task.key, {
          state: "unclear",
          reason: `${more.length + 1} masters at the target have its key`,
        });
      else if (other !== undefined)
        result.set(task.key, {
          state: "unclear",
          reason: `record ${record.id} at the target has its key and another ${display(other[0])}`,
        });
      else {
        const { unmoved = {} } = task;
        const lacks = Object.entries(unmoved).some(
          ([name, value]) => text(name, own(record.attributes, name) ?? null) !== text(name, value),
        );
        if (lacks) await records.updateMaster(of, record.id, { ...attributesOf(task.values), ...unmoved });
        if (own(task.values, inactiveName) === true && record.isActive !== false)
          await setActive(client, of, record.id, false);
        result.set(task.key, { state: "ours", address: record.id });
      }
    }
    return result;
  }

  return {
    perBatch: 50,
    repeats: false,
    blame: () => [],
    send,
    find,
    release: {
      // It counts at once; reading it back shows what the server made of it.
      perRelease: 100,
      patienceMs,
      send: async () => ({ state: "accepted" }),
      review: async () => "approved",
    },
  };
}

function attributesOf(values: JsonObject): JsonObject {
  const attributes: MutableJson = {};
  for (const [name, value] of Object.entries(values))
    if (!name.startsWith("(")) setOwn(attributes, name, value);
  return attributes;
}

function relationsOf({ values }: Pick<RowTask, "values">): readonly MasterRelation[] {
  return Object.keys(values).flatMap((name) => masterRelation(name) ?? []);
}

function endOf({ entity, key }: MasterRelation): string {
  return stableText([entity, [...key]]);
}

/**
 * A relation is made with its record alone: of two that lead to one another no request makes either. A person can make one of them,
 * and the other one is made with its relation then.
 */
function absent({ role, entity, key }: MasterRelation, isLater: boolean): string {
  const name = `${display(entity)} ${key.map((value) => display(shown(value))).join(" / ")}`;
  const what = `its relation ${display(role)} can be made with it alone, and leads to the ${name}, of which the target has none, or several`;
  const circle =
    "where the plan names the same relation from both of its ends, leave it out of `relationships` at one of them; where the two lead to one another otherwise, also by way of others, no request makes either: make one of them in the web application of the target, and run again";
  return isLater
    ? `${what}. Name ${display(entity)} before it in the plan, and run again; ${circle}`
    : `${what}. Bring that one there first (another run may do it); ${circle}`;
}

/** The document writes ids as numbers; one that JavaScript cannot hold travels as it was written. */
function numeric(id: string): Json {
  const number = Number(id);
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(id);
}
