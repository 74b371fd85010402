import { expect, test } from "vitest";
import type { MasterData } from "../../src/emulator/index.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { adr, address, author, authored, masterParty, party, put, segment, stage } from "./masters-stage.ts";

/** What document 3 leaves open, or says of several versions: records move with each. */
const variants: readonly (readonly [what: string, vary: (data: MasterData) => void])[] = [
  ["an envelope around lists", ({ quirks }) => void (quirks.lists = "envelope")],
  ["a few records at once", ({ quirks }) => void (quirks.mostRecords = 7)],
  ["no metadata", ({ quirks }) => void (quirks.metadata = "absent")],
  ["metadata in another form", ({ quirks }) => void (quirks.metadata = "other")],
  ["names as texts", ({ quirks }) => void (quirks.names = "texts")],
  ["names in another form", ({ quirks }) => void (quirks.names = "other")],
  ["answers of before 15.3.0", ({ quirks }) => void (quirks.writeAnswers = "older")],
  ["an older directory", ({ quirks }) => void (quirks.directory = "older")],
  ["no comma in any value", ({ quirks }) => void (quirks.commas = "refused")],
];

test.each(variants)(
  "records move at a server with %s, and a second run writes nothing",
  async (_what, vary) => {
    const house = { ...masterParty, activity: true };
    const places = { ...masterParty, entity: "address", key: ["cmo_zip"], relationships: ["party"] };
    const full = { ...party, relationships: ["addresses"], overrides: true, activity: true };
    const here = await stage([full, address, house, places, segment]);
    for (const data of [here.dev, here.prod]) vary(data);
    for (let number = 0; number < 20; number += 1) {
      const one = put(here.dev, `P${number}`, { src_name: `Name ${number}`, src_is_vip: number % 2 === 0 });
      const home = books.putInstance(here.dev, {
        entity: "address",
        origin: adr,
        sourceId: `A${number}`,
        attributes: { src_city: "Bern" },
      });
      books.relate(here.dev, one, "addresses", home);
      author(here.dev, { cmo_code: `C${number}`, cmo_name: `Code ${number}` });
    }
    const owner = author(here.dev, { cmo_code: "HOUSE" }, "party");
    const shop = author(here.dev, { cmo_zip: "3011" }, "address");
    books.relateMasters(here.dev, owner, "addresses", shop);
    author(here.prod, { cmo_code: "C3", cmo_name: "old" });
    const result = await here.apply();
    expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(result.exitCode).toBe(exitCodes.done);
    expect(authored(here.prod)).toEqual(authored(here.dev));
    expect([here.prod.instances("party")?.size, here.prod.instances("address")?.size]).toEqual([20, 20]);
    const [there] = books.findMasters(here.prod, "address", "cmo_zip", "3011");
    const parent = here.prod.masters("party")?.get(there?.parents?.get("party_has_address") ?? 0);
    expect(parent?.authored?.values["cmo_code"]).toBe("HOUSE");
    here.made.emulator.log.clear();
    const again = await here.apply();
    expect([again.exitCode, again.summary.create + again.summary.update, here.writes()]).toEqual([
      exitCodes.done,
      0,
      0,
    ]);
  },
);
