import { Checker, checkTenant } from "./check.ts";
import { type Answer, batchItems, bodyObject, type Call } from "./http/call.ts";
import { isObject, type Json, type JsonObject, without } from "./json.ts";
import { invalid, Problem } from "./problem.ts";

type Handle = (item: JsonObject, pointer: string) => Json;

/**
 * A batch whose items are independent: 207 with one outcome per item in request order; the optional id is
 * echoed (document 1, "Generic metadata entities", Batch rules; document 2, "Batch create").
 */
export function independentBatch(call: Call, handle: Handle): Answer {
  const limit = call.tampering.commitLimit ?? Infinity;
  let committed = 0;
  const results: JsonObject[] = [];
  for (const [index, item] of batchItems(bodyObject(call), "data").entries()) {
    if (committed >= limit) break;
    const result = outcome(item, index, () => handle(checkedItem(call, item, index), `#/data/${index}`));
    if (result["status"] === "OK") committed += 1;
    results.push(result);
  }
  return multiStatus(results);
}

/**
 * A batch in which all items succeed or all fail. `check` must find every fault without changing anything;
 * `commit` runs only when no item has one.
 */
export function atomicBatch<T>(
  call: Call,
  check: (item: JsonObject, pointer: string) => T,
  commit: (checked: T) => Json,
): Answer {
  const items = batchItems(bodyObject(call), "data");
  const checked: T[] = [];
  const results = items.map((item, index) =>
    outcome(item, index, () => {
      checked.push(check(checkedItem(call, item, index), `#/data/${index}`));
      return null;
    }),
  );
  // An atomic batch is not committed in part: a fault that wants that loses the whole.
  if (call.tampering.commitLimit !== undefined) return multiStatus(results);
  if (results.every((result) => result["status"] === "OK")) {
    return multiStatus(items.map((item, index) => outcome(item, index, () => commit(checked[index] as T))));
  }
  const dragged = new Problem(
    400,
    call.tenant.quirks.rolledBack,
    "Batch Rolled Back",
    "Another item of this batch failed; a batch of this kind succeeds or fails as a whole.",
  );
  return multiStatus(
    results.map((result, index) =>
      result["status"] === "OK"
        ? outcome(items[index] ?? null, index, () => {
            throw dragged;
          })
        : result,
    ),
  );
}

/** An item without its id, its URNs checked. */
function checkedItem(call: Call, item: Json, index: number): JsonObject {
  if (!isObject(item)) throw invalid("An item must be an object.", `#/data/${index}`);
  const checker = new Checker();
  checker.optional(item, "id", "string", `#/data/${index}`, false);
  // The id is the caller's own and may be anything, a URN of elsewhere too.
  const fields = without(item, ["id"]);
  checkTenant(fields, call.tenant.name, `#/data/${index}`, checker);
  checker.refuseIfFailed();
  return fields;
}

function outcome(item: Json, index: number, handle: () => Json): JsonObject {
  const id = isObject(item) && typeof item["id"] === "string" ? { id: item["id"] } : {};
  try {
    return { ...id, status: "OK", data: handle() };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...id, status: error.type, error: error.within(`#/data/${index}`).body() };
  }
}

function multiStatus(results: JsonObject[]): Answer {
  const success = results.filter((result) => result["status"] === "OK").length;
  const meta = { total: results.length, success, fail: results.length - success };
  return { status: 207, body: { meta, results } };
}
