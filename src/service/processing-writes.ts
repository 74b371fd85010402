import type { JsonObject } from "../model/json.ts";
import { isArray, isObject, own } from "../model/json.ts";
import { at } from "./address.ts";
import type { Writer } from "./call.ts";
import { cancelled } from "./shapes.ts";

/** Document 2, base `/api/processing/v1`. Throws ServiceError. */
export interface ProcessingWrites {
  /** One `{ urn, cancelled }` for each workflow. */
  cancelWorkflows(urns: readonly string[]): Promise<readonly JsonObject[]>;
}

export function processingWrites(writer: Writer): ProcessingWrites {
  return {
    cancelWorkflows: async (urns) => {
      if (urns.length === 0) return [];
      const body = { workflows: urns };
      return await writer.write(
        { method: "POST", at: at`/api/processing/v1/workflows/cancel`, body },
        (answer) => {
          const outcomes = own(cancelled(answer.body), "workflows");
          return isArray(outcomes) ? outcomes.filter((outcome) => isObject(outcome)) : [];
        },
      );
    },
  };
}
