import { expect, test } from "vitest";
import type { PlannedRow } from "../../../src/engine/records/line.ts";
import { stillMeant } from "../../../src/engine/records/still-meant.ts";
import { keyDigest } from "../../../src/engine/records/prints.ts";
import type { OpenTable } from "../../../src/kinds/kind.ts";
import type { JsonObject } from "../../../src/model/json.ts";

const key = "A";

/** Of what is in its key's row by now, what is written of a row whose part `values` is wanted; null when it is left alone. */
async function meant(there: JsonObject, isPart: boolean): Promise<string> {
  const open: Pick<OpenTable, "lookUp" | "text" | "perLookUp"> = {
    perLookUp: 10,
    text: (_name: string, value: unknown) => JSON.stringify(value),
    lookUp: async () => [{ key, values: there, address: "1" }],
  } as never;
  const planned: PlannedRow = {
    line: 0,
    task: {
      key: keyDigest(key),
      name: "A",
      action: "update",
      address: "1",
      values: { parent: "P" },
      before: { name: "as it was sent " },
    },
  } as never;
  const said: string[] = [];
  const found = {
    done: async (): Promise<void> => void said.push("done"),
    touched: (): void => void said.push("touched"),
    held: (): void => void said.push("held"),
  };
  const rows = (async function* () {
    yield planned;
  })();
  for await (const _ of stillMeant(rows, open as OpenTable, found, { isPart })) said.push("meant");
  return said.join();
}

test("what leads to other rows is written also where the service shows the rest in its own form", async () => {
  expect(await meant({ name: "as it was sent" }, true)).toBe("meant");
  expect(await meant({ name: "as it was sent" }, false)).toBe("touched");
});
test("and not where somebody has led it elsewhere meanwhile", async () => {
  expect(await meant({ name: "as it was sent", parent: "Q" }, true)).toBe("touched");
  expect(await meant({ name: "as it was sent", parent: "P" }, true)).toBe("done");
});
