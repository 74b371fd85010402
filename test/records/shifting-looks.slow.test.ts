import { expect, test } from "vitest";
import type { Json } from "../../src/emulator/json.ts";
import { exitCodes } from "../../src/model/result.ts";
import { front } from "../support/front.ts";
import type { Stage } from "./masters-stage.ts";
import { author, authored, segment, stage } from "./masters-stage.ts";

/** What is looked up by its key comes in pages, too: what goes meanwhile shifts them. */

const ids = Array.from({ length: 9 }, (_, index) => `r${index + 1}`);
const codesOf = ({ prod }: Stage): readonly string[] => Object.keys(authored(prod));

type Entry = Stage["made"]["emulator"]["log"]["entries"][number];

/** A colleague deletes the first master before the nth answer to a search at the target. */
function deletes(here: Stage, nth: number): void {
  let searches = 0;
  here.made.emulator.on(({ phase, entry }: { readonly phase: string; readonly entry: Entry }) => {
    if (phase !== "received" || entry.tenant !== "prod" || !entry.path.endsWith("/search")) return;
    searches += 1;
    if (searches !== nth) return;
    const masters = here.prod.masters("segment");
    const [first] = masters?.rows ?? [];
    if (first !== undefined) masters?.delete(first);
  });
}

test.each([2, 3, 10, 11])(
  "a rollback takes all back, also what was shifted onto a page before: at the %ith search",
  async (nth) => {
    const here = await stage([segment]);
    ids.forEach((id) => author(here.dev, { cmo_code: id, cmo_name: "A" }));
    expect((await here.apply()).exitCode).toBe(exitCodes.done);
    here.prod.quirks.mostRecords = 3;
    deletes(here, nth);
    // The one that somebody has deleted is told.
    expect((await here.back()).exitCode).toBe(exitCodes.partial);
    expect(codesOf(here)).toEqual([]);
  },
);

test("a search whose page comes in another order each time is found as it is", async () => {
  const here = await stage([segment]);
  for (const data of [here.dev, here.prod])
    ids.forEach((id) => author(data, { cmo_code: id, cmo_name: "A" }));
  let all: readonly Json[] = [];
  const server = await front(here.made.emulator.masterDataUrl("prod"), {
    answer: (body, path) => {
      if (!path.includes("/search")) return body;
      const page = JSON.parse(body) as readonly Json[];
      if (page.length > 1) all = page;
      // Its last place shows what stood at the first one.
      return JSON.stringify(page.length === 1 ? all.slice(0, 1) : page);
    },
  });
  const { masterData } = here.plan.target;
  if (masterData === undefined) throw new Error("the plan has no master-data server");
  here.plan = {
    ...here.plan,
    target: { ...here.plan.target, masterData: { ...masterData, baseUrl: server.url } },
  };
  const result = await here.apply();
  expect([result.exitCode, result.summary.unchanged, here.writes()]).toEqual([exitCodes.done, 9, 0]);
});
