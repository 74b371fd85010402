import type { Emulator, MasterData } from "../../../src/emulator/index.ts";
import { masterDataBooks } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/emulator/json.ts";
import type { Estate } from "../estates/estate.ts";
import type { Entry, RowBooks } from "./estate.ts";
import { booksBy, masterDataEstate } from "./rows-only.ts";

const { putInstance, instanceBook, relate } = masterDataBooks;
const entities = ["party", "address"] as const;
type Entity = (typeof entities)[number];

const originOf = (entity: Entity, { name }: MasterData): string =>
  `crm#${entity}#${name === "dev" ? "Dev" : "Prod"}`;

function put(data: MasterData, entity: Entity, sourceId: string, attributes: JsonObject, more: object = {}) {
  return putInstance(data, { entity, origin: originOf(entity, data), sourceId, attributes, ...more });
}

const party = (number: number): JsonObject => ({
  src_name: `Party ${number}`,
  src_credit_limit: number,
  ...(number % 2 === 0 ? { src_is_vip: true } : {}),
});

const morning = Date.UTC(2026, 0, 5);

/** Parties with addresses, overrides and activity; of some the target has another version, and one is of another origin. */
function prepare(emulator: Emulator): void {
  const [dev, prod] = [emulator.masterData("dev"), emulator.masterData("prod")];
  for (let number = 0; number < 24; number += 1) {
    const row = put(dev, "party", `P${number}`, party(number), {
      ...(number > 16 ? {} : { sourceTime: morning + number * 1_001 }),
      ...(number % 5 === 0 ? { overrides: { src_note: `a steward on ${number}` } } : {}),
      ...(number % 7 === 3 ? { active: false } : {}),
    });
    if (number % 2 === 0)
      relate(dev, row, "addresses", put(dev, "address", `A${number}`, { src_city: `City ${number}` }));
  }
  put(dev, "party", "elsewhere", { src_name: "of another origin" }, { origin: "erp#party#Dev" });
  put(prod, "party", "P1", { src_name: "as it was", src_note: "of prod" });
  put(prod, "party", "P2", party(2), { overrides: { src_name: "a steward of prod" } });
  put(prod, "party", "own", { src_name: "of prod alone" });
  put(prod, "party", "P3", { src_name: "of another origin" }, { origin: "erp#party#Prod" });
  put(prod, "address", "A0", { src_city: "as it was" });
}

function books(emulator: Emulator, tenant: "dev" | "prod"): RowBooks {
  const data = emulator.masterData(tenant);
  const isMoved = (origin: string): boolean => tenant === "prod" || origin.startsWith("crm#");
  return booksBy(entities, (entity) =>
    (data.instances(entity)?.rows ?? [])
      .filter(({ origin }) => isMoved(origin))
      .map((row): readonly [string, Entry] => {
        // By which way it is inactive is each server's own.
        const { activity: _way, ...book } = instanceBook(data, row);
        // Null and absent are one.
        const source = Object.entries(book.source).filter(([, value]) => value !== null);
        const text = JSON.stringify({ ...book, source: Object.fromEntries(source) });
        const shown = JSON.parse(text.replaceAll("#Dev", "#Prod")) as JsonObject;
        const entry = { shown, state: "" };
        return [
          `${row.origin.replace("#Dev", "#Prod")} / ${row.sourceId}`,
          book.active ? entry : { ...entry, isGone: true },
        ];
      }),
  );
}

function touch(emulator: Emulator): number {
  const prod = emulator.masterData("prod");
  put(prod, "party", "P1", { src_name: "a colleague's word" });
  put(prod, "address", "A2", { src_city: "a colleague's word" });
  return entities.length;
}

const origins = Object.fromEntries(entities.map((entity) => [`crm#${entity}#Dev`, `crm#${entity}#Prod`]));
const records = {
  masterData: [
    {
      layer: "instance",
      entity: "party",
      origins,
      columns: ["src_*"],
      relationships: ["addresses"],
      overrides: true,
      activity: true,
    },
    { layer: "instance", entity: "address", origins, columns: ["src_*"], activity: true },
  ],
};

/** A party before the addresses that it leads to: relations wait for both ends. */
export const instances: Estate = masterDataEstate("instances", { records, books, touch }, prepare);

/** Values, overrides and activity that change, and rows that are new; no relation, which nothing takes away. */
export const instancesChanged: Estate = {
  ...instances,
  name: "instances-changed",
  flags: ["--allow-delete"],
  change(_source, emulator) {
    const dev = emulator.masterData("dev");
    for (let number = 8; number < 16; number += 1)
      put(dev, "party", `P${number}`, { ...party(number), src_name: "new" }, { sourceTime: morning * 2 });
    put(dev, "party", "P5", party(5), { overrides: { src_note: "another word", src_name: "over it" } });
    const steward = put(dev, "party", "P20", party(20));
    masterDataBooks.clearOverrides(dev, steward);
    put(dev, "party", "P6", party(6), { active: false });
    put(dev, "party", "N1", party(101));
    put(dev, "party", "N2", party(102), { overrides: { src_note: "new" }, active: false });
    put(dev, "address", "N1", { src_city: "new" });
    put(dev, "address", "A4", { src_city: "changed" });
    // Nothing but the time: the load said the same once more.
    put(dev, "party", "P0", party(0), { sourceTime: morning * 2 });
  },
};

export const instancesBack: Estate = { ...instancesChanged, name: "instances-back", back: true };
