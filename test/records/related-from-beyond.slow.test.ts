import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Stage } from "./masters-stage.ts";
import { address, adr, adrProd, crm, crmProd, party, put, stage } from "./masters-stage.ts";
import { countsOf, diesAt } from "./support.ts";

/** A relation that the plan names from both of its ends is written with one of them, and shows at the other one. */

const [down, up] = [
  { ...party, relationships: ["addresses"] },
  { ...address, relationships: ["party"] },
];

/** A party and two addresses, of which one is related to it on both sides. */
async function moved(): Promise<Stage> {
  const here = await stage([up, down]);
  put(here.dev, "P", { src_name: "a" });
  for (const id of ["A1", "A2"]) put(here.dev, id, { src_city: id }, { entity: "address", origin: adr });
  relate(here, "dev", "A1");
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  return here;
}

function relate({ dev, prod }: Stage, side: "dev" | "prod", id: string): void {
  const [data, origins] = side === "dev" ? [dev, [crm, adr]] : [prod, [crmProd, adrProd]];
  const [from, to] = [
    data.byKey("party", origins[0] ?? "", "P"),
    data.byKey("address", origins[1] ?? "", id),
  ];
  if (from === undefined || to === undefined) throw new Error("they are there");
  books.relate(data, from, "addresses", to);
}

const name = ({ prod }: Stage): unknown => prod.byKey("party", crmProd, "P")?.source["src_name"];

test("what a killed run has related from there is no change of somebody else's in what it leads to", async () => {
  let isReached = true;
  for (let nth = 1; isReached; nth += 1) {
    const here = await moved();
    relate(here, "dev", "A2");
    isReached = (await diesAt("outcome:after", nth, async (hooks) => here.apply({}, { hooks }))) === true;
    // What was compared is not gone on with by a run that reads anew.
    put(here.dev, "P", { src_name: "b" });
    for (let run = 0; run < 2; run += 1) expect((await here.apply()).exitCode).toBe(exitCodes.done);
    expect(name(here)).toBe("b");
    here.made.emulator.log.clear();
    expect([(await here.apply()).exitCode, here.writes()]).toEqual([exitCodes.done, 0]);
  }
});

test("nor is what a colleague has related just as the source does; what else they have changed is", async () => {
  for (const isMore of [false, true]) {
    const here = await moved();
    relate(here, "dev", "A2");
    relate(here, "prod", "A2");
    put(here.dev, "P", { src_name: "b" });
    if (isMore) put(here.prod, "P", { src_phone: "theirs", src_name: "theirs" });
    expect(countsOf(await here.apply())).toMatchObject(
      isMore ? { update: 0, conflict: 1 } : { update: 1, conflict: 0 },
    );
    expect(name(here)).toBe(isMore ? "theirs" : "b");
  }
});
