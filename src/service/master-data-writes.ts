import type { Json, JsonObject } from "../model/json.ts";
import { fromEntries } from "../model/json.ts";
import type { Path } from "./address.ts";
import { at } from "./address.ts";
import type { Call, Interpret, Writer } from "./call.ts";
import type { RecordChange, Written } from "./master-data-answers.ts";
import { toActivity, toMasterWritten, toWritten } from "./master-data-answers.ts";
import type { InstanceEntity, InstanceKey, MasterEntity, RecordEntity } from "./master-data-address.ts";
import { isFailure, ofAnError } from "./master-data-records.ts";
import { WrongShape } from "./shapes.ts";
import {
  attributePath,
  below,
  entityPath,
  isOtherAddress,
  keyPath,
  recordPath,
} from "./master-data-address.ts";

/** A record that comes along with another one; it is written itself, by its own origin and source id. */
export interface RelatedInstance extends InstanceKey {
  readonly attributes: JsonObject;
}

/** Document 3, "Modify", rule 2. Nothing computed and no id: the server refuses or makes them. */
export interface InstanceContent {
  /** Needed where the record may not be there yet. */
  readonly attributes?: JsonObject;
  /** With an offset; a `Z` would be read as the server's local time and is not sent. `sourceTimestamp` writes one. */
  readonly sourceTimestamp?: string;
  /** By the role of the logical model, or `rev_<entity>_has_<related>` where it has none. */
  readonly relationships?: Readonly<Record<string, readonly RelatedInstance[]>>;
}

export interface MasterContent {
  readonly attributes: JsonObject;
  readonly relationships?: Readonly<Record<string, readonly JsonObject[]>>;
}

/**
 * What changes records (document 3, "Modify", "Activate and deactivate", "Overrides"). All throw ServiceError.
 *
 * Repeated by the client where an answer was lost, since they leave the same behind when they come twice: what is
 * written by origin and source id, activate and deactivate, overrides. Everything else is sent once: what became of it
 * is unknown then (`arrived: "maybe"`), and has to be looked up.
 */
export interface MasterDataWrites {
  /**
   * An upsert: PUT by origin and source id in the address (POST with both in the body, where that address would be another
   * one); a missing record is inserted. `change` tells of the attempt
   * that was answered: NONE or an update may mean that one before it, whose answer was lost, has inserted it (`isAgain`).
   */
  putInstance(of: InstanceEntity, key: InstanceKey, content: InstanceContent): Promise<Written>;
  /** An upsert too: POST with origin and source id in the body, or in the address; a record that exists is updated. */
  postInstance(
    of: InstanceEntity,
    key: InstanceKey,
    content: InstanceContent,
    identifiedIn: "body" | "address",
  ): Promise<Written>;
  /** Not repeated: what a PUT to an id does that is gone meanwhile is not documented beyond "becomes an insert". */
  updateInstance(of: InstanceEntity, id: string, content: InstanceContent): Promise<Written>;
  /** DELETE: deactivates, and leaves the record there. */
  removeInstance(of: InstanceEntity, id: string): Promise<Written>;
  /** Not repeated: every POST makes another record with an id of its own. */
  createMaster(of: MasterEntity, content: MasterContent): Promise<Written>;
  updateMaster(of: MasterEntity, id: string, attributes: JsonObject): Promise<Written>;
  /** Of an authored record, for good. */
  deleteMaster(of: MasterEntity, id: string): Promise<Written>;
  /** `change` is NONE when it was active already. */
  activate(of: RecordEntity, id: string): Promise<RecordChange>;
  deactivate(of: RecordEntity, id: string): Promise<RecordChange>;
  /** The same, not repeated: `change` is NONE when it was inactive already, which says nothing of a second attempt. */
  deactivateOnce(of: RecordEntity, id: string): Promise<RecordChange>;
  /** Takes an activity override away. 500 may mean that there is none: nothing shows which records have one. */
  removeActivity(of: RecordEntity, id: string): Promise<RecordChange>;
  setOverride(of: InstanceEntity, id: string, attribute: string, value: Json): Promise<void>;
  setOverrides(of: InstanceEntity, id: string, values: JsonObject): Promise<void>;
  removeOverride(of: InstanceEntity, id: string, attribute: string): Promise<void>;
  /** All of them. */
  removeOverrides(of: InstanceEntity, id: string): Promise<void>;
}

export function masterDataWrites(writer: Writer): MasterDataWrites {
  const activity = (name: "activate" | "deactivate" | "remove-activity", care: "write" | "upsert") => {
    return async (of: RecordEntity, id: string) => {
      const path = below(recordPath(of, { id }), at`/${name}`);
      return await writer[care]({ method: "PUT", at: path }, ({ body }) => toActivity(body, id));
    };
  };
  const override = async (
    method: "PUT" | "DELETE",
    [of, id, attribute]: readonly [InstanceEntity, string, string?],
    body?: JsonObject,
  ): Promise<void> => {
    const all = below(recordPath(of, { id }), at`/override`);
    const path = attribute === undefined ? all : attributePath(all, attribute);
    // "Empty" is what is documented: whatever else comes says nothing, but for an error.
    await writer.upsert({ method, at: path, ...(body === undefined ? {} : { body }) }, (answer) => {
      if (isFailure(answer.body)) throw new WrongShape(ofAnError);
    });
  };

  return {
    putInstance: async (of, key, content) =>
      await writer.upsert(
        isOtherAddress(key)
          ? callByBody(of, key, content)
          : instanceCall("PUT", recordPath(of, key), content),
        written(key),
      ),
    postInstance: async (of, key, content, identifiedIn) =>
      await writer.upsert(
        identifiedIn === "body"
          ? callByBody(of, key, content)
          : instanceCall("POST", recordPath(of, key), content),
        written(key),
      ),
    updateInstance: async (of, id, content) =>
      await writer.write(instanceCall("PUT", recordPath(of, { id }), content), written()),
    removeInstance: async (of, id) =>
      await writer.write({ method: "DELETE", at: recordPath(of, { id }) }, written()),
    createMaster: async (of, content) => {
      const body = fromEntries([
        ["attributes", content.attributes],
        ...(content.relationships === undefined ? [] : [["relationships", content.relationships] as const]),
      ]);
      return await writer.write({ method: "POST", at: entityPath(of), body }, written());
    },
    updateMaster: async (of, id, attributes) =>
      await writer.write({ method: "PUT", at: recordPath(of, { id }), body: { attributes } }, masterWritten),
    deleteMaster: async (of, id) =>
      await writer.write({ method: "DELETE", at: recordPath(of, { id }) }, masterWritten),
    activate: activity("activate", "upsert"),
    deactivate: activity("deactivate", "upsert"),
    deactivateOnce: activity("deactivate", "write"),
    removeActivity: activity("remove-activity", "write"),
    setOverride: (of, id, attribute, value) => override("PUT", [of, id, attribute], { value }),
    setOverrides: async (of, id, values) =>
      await override("PUT", [of, id], {
        overrides: Object.entries(values).map(([attributeName, value]) => ({ attributeName, value })),
      }),
    removeOverride: (of, id, attribute) => override("DELETE", [of, id, attribute]),
    removeOverrides: (of, id) => override("DELETE", [of, id]),
  };
}

/** A moment as `source_timestamp` takes it: with an offset, which no server reads as its own time. Milliseconds. */
export function sourceTimestamp(time: number): string {
  return new Date(time).toISOString().replace(/Z$/u, "+00:00");
}

function written(key?: InstanceKey): Interpret<Written> {
  return ({ body, isAgain }) => ({ ...toWritten(body, key), ...(isAgain === undefined ? {} : { isAgain }) });
}

const masterWritten: Interpret<Written> = ({ body }) => toMasterWritten(body);

/** Its address has a problem also where the key goes into the body: nobody could ever ask for the record. */
function callByBody(of: InstanceEntity, key: InstanceKey, content: InstanceContent): Call {
  const call = instanceCall("POST", keyPath(of, key), content);
  const where = below(entityPath(of), at``, call.at.problem);
  return { ...call, at: where, body: { ...keyFields(key), ...call.body } };
}

function instanceCall(
  method: "POST" | "PUT",
  path: Path,
  content: InstanceContent,
): Call & { readonly at: Path } {
  const { attributes, sourceTimestamp: when, relationships } = content;
  const related = Object.entries(relationships ?? {}).map(
    ([name, records]) =>
      [
        name,
        records.map(({ attributes: values, ...key }) => ({ ...keyFields(key), attributes: values })),
      ] as const,
  );
  const body = fromEntries([
    ...(when === undefined ? [] : [["source_timestamp", when] as const]),
    ...(attributes === undefined ? [] : [["attributes", attributes] as const]),
    ...(relationships === undefined ? [] : [["relationships", fromEntries(related)] as const]),
  ]);
  const wrong = contentProblem(content);
  return { method, at: below(path, at``, wrong), body };
}

function keyFields({ origin, sourceId }: InstanceKey): JsonObject {
  return { origin, source_id: sourceId };
}

function contentProblem({ sourceTimestamp: when, relationships }: InstanceContent): string | undefined {
  if (when?.endsWith("Z") === true)
    return "a source_timestamp that ends with Z would be read as the server's local time; give it an offset";
  for (const [name, records] of Object.entries(relationships ?? {})) {
    const odd = records.find(({ origin, sourceId }) =>
      [origin, sourceId].some((value) => value === "" || value.includes(",")),
    );
    if (odd !== undefined)
      return `a record under ${name} has an origin or a source id that is empty or holds a comma`;
  }
  return undefined;
}
