import { expect, test } from "vitest";
import { LostRows } from "../../src/engine/records/lost-rows.ts";
import { keyDigest } from "../../src/engine/records/prints.ts";
import type { Lost } from "../../src/engine/records/write-options.ts";
import { Outcomes } from "../../src/engine/records/written.ts";
import type { JsonObject } from "../../src/model/json.ts";

/** What becomes of a change of a name from "a" to "b" whose answer was lost, where the target shows this by now. */
async function settled(there: JsonObject | undefined): Promise<string> {
  const said: string[] = [];
  const rows = new LostRows({
    writer: {} as never,
    open: {
      perLookUp: 10,
      text: (_: string, value: unknown) => JSON.stringify(value),
      lookUp: async () => (there === undefined ? [] : [{ key: "A", values: there, address: "1" }]),
    } as never,
    log: { outcome: async () => undefined } as never,
    outcomes: new Outcomes(),
    later: () => void said.push("later"),
    found: async () => void said.push("done"),
    others: async () => void said.push("left"),
  });
  const task = {
    action: "update",
    key: keyDigest("A"),
    name: "A",
    values: { name: "b" },
    before: { name: "a", note: "n" },
  } as const;
  const lost: Lost = { planned: { task, print: undefined, was: undefined }, op: "run/1", at: 0 };
  if ((await rows.untouched([lost])).length > 0) said.push("sent again");
  return said.join();
}

test("a change whose answer was lost is sent again where nobody else has been since, and nowhere else", async () => {
  expect(await settled({ name: "a", note: "n" })).toBe("sent again");
  expect(await settled({ name: "a", note: "a colleague's" })).toBe("sent again");
  expect(await settled({ name: "b", note: "n" })).toBe("done");
  expect(await settled({ name: "a colleague's", note: "n" })).toBe("left");
  expect(await settled(undefined)).toBe("left");
});
