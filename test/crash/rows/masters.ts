import type { Emulator, MasterData } from "../../../src/emulator/index.ts";
import { masterDataBooks } from "../../../src/emulator/index.ts";
import { asText } from "../../../src/emulator/json.ts";
import type { MasterRow } from "../../../src/emulator/master-data/rows.ts";
import type { Estate } from "../estates/estate.ts";
import type { Entry, RowBooks } from "./estate.ts";
import { booksBy, masterDataEstate } from "./rows-only.ts";

const { authorMaster, findMasters, putInstance, writeMaster } = masterDataBooks;
const entities = ["party", "segment"] as const;
type Entity = (typeof entities)[number];

function author(data: MasterData, entity: Entity, code: string, name: string, by = "steward"): void {
  authorMaster(data, { entity, attributes: { cmo_code: code, cmo_name: name }, by });
}

/** Codes that people make, and parties of theirs beside those that are merged; of some the target has another version. */
function prepare(emulator: Emulator): void {
  const [dev, prod] = [emulator.masterData("dev"), emulator.masterData("prod")];
  for (let number = 0; number < 60; number += 1) author(dev, "segment", `S${number}`, `Segment ${number}`);
  for (let number = 0; number < 12; number += 1) author(dev, "party", `H${number}`, `House ${number}`);
  author(dev, "party", "NOBODY", "of another author", "import");
  for (const data of [dev, prod])
    putInstance(data, {
      entity: "party",
      origin: `crm#party#${data.name === "dev" ? "Dev" : "Prod"}`,
      sourceId: "P1",
      attributes: { src_name: `Merged of ${data.name}` },
    });
  author(prod, "segment", "S1", "as it was");
  author(prod, "segment", "S2", "Segment 2");
  author(prod, "segment", "OWN", "of prod alone");
  author(prod, "party", "H3", "as it was");
}

function authoredOf(data: MasterData, entity: Entity): readonly MasterRow[] {
  return (data.masters(entity)?.rows ?? []).filter(
    ({ authored }) => authored !== undefined && asText(authored.values["cmo_code"]) !== "NOBODY",
  );
}

function books(emulator: Emulator, tenant: "dev" | "prod"): RowBooks {
  const data = emulator.masterData(tenant);
  return booksBy(entities, (entity) =>
    authoredOf(data, entity).map((row): readonly [string, Entry] => {
      const { values = {}, active = true } = row.authored ?? {};
      const entry = { shown: values, state: "" };
      const isActive = row.activity ?? active;
      return [asText(values["cmo_code"]) ?? "", isActive ? entry : { ...entry, isGone: true }];
    }),
  );
}

function rename(data: MasterData, entity: Entity, code: string, name: string): void {
  const [row] = findMasters(data, entity, "cmo_code", code);
  if (row !== undefined) writeMaster(data, row, { cmo_name: name });
}

function touch(emulator: Emulator): number {
  const prod = emulator.masterData("prod");
  rename(prod, "segment", "S5", "a colleague's word");
  rename(prod, "party", "H3", "a colleague's word");
  return entities.length;
}

const layer = { layer: "master", key: ["cmo_code"], columns: ["cmo_*"] };
const records = {
  masterData: [
    { ...layer, view: "codes", entity: "segment", authored: "all" },
    { ...layer, view: "masters", entity: "party", filter: { published_by: "steward*" } },
  ],
};

/** Masters that people have authored: their ids are the server's, so that a create must not come twice. */
export const masters: Estate = masterDataEstate("masters", { records, books, touch }, prepare);

/** Names that change, and codes that are new. */
export const mastersChanged: Estate = {
  ...masters,
  name: "masters-changed",
  flags: ["--allow-delete"],
  change(_source, emulator) {
    const dev = emulator.masterData("dev");
    for (let number = 8; number < 24; number += 1) rename(dev, "segment", `S${number}`, `new ${number}`);
    rename(dev, "party", "H4", "a new house");
    for (let number = 0; number < 8; number += 1) author(dev, "segment", `N${number}`, `New ${number}`);
    author(dev, "party", "N1", "New house");
  },
};

export const mastersBack: Estate = { ...mastersChanged, name: "masters-back", back: true };
