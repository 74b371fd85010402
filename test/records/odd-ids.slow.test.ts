import { expect, test } from "vitest";
import { exitCodes } from "../../src/model/result.ts";
import { adr, address, party, put, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";

/** Words that stand in addresses, signs that mean something there or in filters, and texts that only look alike. */
const ids = [
  ["activate", "deactivate", "remove-activity", "override", "history"],
  ["metadata", "search", "identify", "null", "true", "constructor", "__proto__"],
  ["a/b", "a%2Fb", "a?b", "a#b", "a;b", "a+b", "a&b", "a=b", "a:b", String.raw`a\b`, "%25", "~", '"', "(x)"],
  ["a", "A", " a", "a ", "\n", "\u00E9", "e\u0301", "0", "00", "1e3", "*", "a*", "x".repeat(1_500)],
].flat();

function ofParties({ prod }: Stage): readonly string[] {
  return (prod.instances("party")?.rows ?? []).map(({ sourceId }) => sourceId).toSorted();
}

test.each<readonly [string, Partial<typeof party>]>([
  ["alone", {}],
  ["with activity and overrides", { activity: true, overrides: true }],
  ["with relations", { relationships: ["addresses"] }],
])("instances arrive once, whatever their source ids are: %s", async (_name, more) => {
  const here = await stage([{ ...party, ...more }, address]);
  for (const id of ids) {
    const row = put(here.dev, id, { src_name: `n ${id}` }, { overrides: { src_note: "over" } });
    const fields = { entity: "address", origin: adr, sourceId: id, attributes: { src_city: id } };
    books.relate(here.dev, row, "addresses", books.putInstance(here.dev, fields));
  }
  const first = await here.apply();
  expect([first.exitCode, first.summary.create]).toEqual([exitCodes.done, 2 * ids.length]);
  expect(ofParties(here)).toEqual(ids.toSorted());
  for (const [index, id] of ids.entries())
    put(here.dev, id, { src_name: `other ${index}` }, { activity: index % 2 === 0 });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(ofParties(here)).toEqual(ids.toSorted());
  const before = here.writes();
  const again = await here.apply();
  expect([again.exitCode, here.writes() - before]).toEqual([exitCodes.done, 0]);
});
