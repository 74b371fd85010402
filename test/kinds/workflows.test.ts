import { expect, test } from "vitest";
import { pollWorkflow } from "../../src/kinds/shared/workflows.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import type { ReadClient } from "../../src/service/index.ts";

// Document 2: a failed workflow has `errors`, a failed job an `error`; the names of their fields: not shown.

const job = (number: number, error: Json): JsonObject => ({ name: `Job ${number}`, error });

/** A service that has this failed workflow, and these pages of its failed jobs. */
function failed(
  errors: readonly JsonObject[],
  pages: readonly (readonly JsonObject[])[],
  total?: number,
): ReadClient {
  const processing = {
    workflow: async () => ({ body: { status: "FAILED", errors } }),
    async *jobs() {
      for (const items of pages) yield { items, ...(total === undefined ? {} : { total }) };
    },
  };
  return { processing } as unknown as ReadClient;
}

const seven = [1, 2, 3, 4, 5, 6, 7].map((number) => job(number, { reason: "no rows" }));
const told = "Job 1: no rows; Job 2: no rows; Job 3: no rows; Job 4: no rows; Job 5: no rows";

test.each<readonly [string, ReadClient, string]>([
  [
    "all of a few",
    failed([], [[job(1, { message: "no rows" }), job(2, {})]]),
    "Job 1: no rows; Job 2: no reason given",
  ],
  [
    "of many some, and how many there are besides",
    failed([], [seven.slice(0, 4), seven.slice(4)], 7),
    `${told}; and 2 more, which the web application of the target shows`,
  ],
  [
    "that there are others, where the service does not count them",
    failed([], [seven.slice(0, 4), seven.slice(4)]),
    `${told}; and others, which the web application of the target shows`,
  ],
  ["no others where there are none", failed([], [seven.slice(0, 5)], 5), told],
  [
    "what the workflow says, where its jobs say nothing that can be read",
    failed([{ reason: "no connection" }], [[job(1, { cause: 7 }), job(2, null)]]),
    "no connection",
  ],
  ["which jobs they are, where nothing says why", failed([], [[job(1, null)]]), "Job 1: no reason given"],
  ["that nothing is said", failed([], []), "the service gives no reason"],
])("of a workflow that failed it is told: %s", async (_what, client, reason) => {
  expect(await pollWorkflow(client, "urn:data:prod:processing:workflow:1")).toEqual({
    state: "refused",
    reason: `it FAILED: ${reason}`,
  });
});
