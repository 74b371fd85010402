import { z } from "zod";
import type { Json, JsonObject } from "../model/json.ts";
import { child, isArray, isObject, own, plainNumber, text } from "../model/json.ts";
import type { InstanceKey } from "./master-data-address.ts";
import { check, digits } from "./master-data-records.ts";
import { WrongShape } from "./shapes.ts";

/** What a write did to one record. */
export interface RecordChange {
  /** `recordChange` or `action`: INSERT, UPDATE or UPDATED, DELETE, DEACTIVATED, NONE, PURGE; undefined when not said. */
  readonly change: string | undefined;
  readonly id: string | undefined;
}

export interface Written extends RecordChange {
  /** The master that the instance belongs to; servers before 15.3.0 do not say. */
  readonly masterId: string | undefined;
  /** By relationship, as far as the answer speaks of them. */
  readonly related: Readonly<Record<string, readonly RecordChange[]>>;
  readonly body: JsonObject;
  /** An attempt before the one that was answered may have had its effect: then `change` says nothing of what was there before. */
  readonly isAgain?: true;
}

/** `result: ok` is the only one the document knows: anything else in a good answer may be a failed write. */
const written = z.looseObject({ result: z.literal("ok"), records: z.looseObject({}) });
const flat = z.looseObject({ recordChange: z.string().min(1) });
const bare = flat.extend({ id: z.preprocess(plainNumber, z.number()) });

/**
 * The answer to a write (document 3, rules 4 and 5), in the form of 15.3.0 or the older one: the record itself, or one
 * under `entity` with what became of related ones. Throws WrongShape, also when it speaks of another record.
 */
export function toWritten(answer: Json | undefined, key?: InstanceKey): Written {
  const body = check(written, answer);
  const records = child(body, "records") ?? {};
  const entity = child(records, "entity") ?? records;
  refuseOther(entity, "origin", key?.origin);
  refuseOther(entity, "source_id", key?.sourceId);
  const related = Object.entries(child(records, "relationships") ?? {}).map(
    ([name, found]) => [name, (isArray(found) ? found : [found]).filter(isObject).map(toChange)] as const,
  );
  return {
    ...changeOf(entity),
    masterId: digits(own(child(entity, "attributes") ?? {}, "master_id")),
    related: Object.fromEntries(related),
    body,
  };
}

/**
 * The answer to the change or deletion of a master: rule 5 shows `{ id, recordChange }` for these, and whether `result` and `records` stand
 * around it, as they do around that of an insert, it does not say. Throws WrongShape.
 */
export function toMasterWritten(answer: Json | undefined): Written {
  const isBare = isObject(answer) && !("result" in answer) && !("records" in answer);
  return toWritten(isBare ? { result: "ok", records: check(bare, answer) } : answer);
}

/** The answer of activate, deactivate and remove-activity: `{ id, origin, source_id, recordChange }`. */
export function toActivity(answer: Json | undefined, id: string): RecordChange {
  const envelope = isObject(answer) ? child(answer, "records") : undefined;
  const found = changeOf(check(flat, envelope ?? answer));
  if (found.id !== undefined && found.id !== id) throw new WrongShape("it is about another record");
  return found;
}

function toChange(related: JsonObject): RecordChange {
  return changeOf(child(related, "entity") ?? related);
}

function changeOf(entity: JsonObject): RecordChange {
  return {
    change: text(entity, "recordChange") ?? text(entity, "action"),
    id: digits(own(entity, "id")),
  };
}

function refuseOther(entity: JsonObject, field: string, sent: string | undefined): void {
  const said = text(entity, field);
  if (sent !== undefined && said !== undefined && said !== sent)
    throw new WrongShape(`it is about another record: /records/${field} is not what was sent`);
}
