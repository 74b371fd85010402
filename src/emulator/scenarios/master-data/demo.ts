import type { JsonObject } from "../../json.ts";
import { authorMaster, overrideMaster, putInstance, relate, relateMasters } from "../../master-data/books.ts";
import type { MasterData } from "../../master-data/master-data.ts";
import type { InstanceRow } from "../../master-data/rows.ts";

/**
 * The customers of the grocer as two source systems know them. Production has some of them already, under its own
 * origins: one as it is here, one with an older phone number, and one that only production has.
 */
export function prepareParties(source: MasterData, target: MasterData): void {
  configure(source, "Dev");
  configure(target, "Prod");
  prepareDev(source);
  prepareProd(target);
}

function configure(data: MasterData, stage: string): void {
  data.quirks.origins = ["crm", "erp"].flatMap((system) =>
    ["party", "address", "contact"].map((entity) => `${system}#${entity}#${stage}`),
  );
  for (const entity of ["party", "address"]) {
    data.historised.instance.add(entity);
    data.historised.master.add(entity);
  }
}

const morning = Date.UTC(2026, 0, 5, 8);

function filler(data: MasterData, stage: string) {
  return (
    system: string,
    entity: string,
    sourceId: string,
    attributes: JsonObject,
    more: { readonly overrides?: JsonObject; readonly active?: boolean; readonly activity?: boolean } = {},
  ): InstanceRow =>
    putInstance(data, {
      entity,
      origin: `${system}#${entity}#${stage}`,
      sourceId,
      attributes,
      sourceTime: morning,
      ...more,
    });
}

function prepareDev(data: MasterData): void {
  const put = filler(data, "Dev");
  const ada = put("crm", "party", "1001", {
    src_name: "Ada Lovelace",
    src_email: "ada@example.org",
    src_phone: "+44 20 7946 0958",
    src_birth_date: "1985-12-10",
    src_status: "active",
    src_is_vip: true,
  });
  // The same person to the other system: one master.
  const adaErp = put("erp", "party", "C-77", {
    src_name: "LOVELACE  Ada",
    src_email: "Ada@Example.org",
    src_credit_limit: 5000,
    src_status: "active",
  });
  const grace = put(
    "crm",
    "party",
    "1002",
    {
      src_name: "Grace Hopper",
      src_email: "grace@example.org",
      src_birth_date: "1986-12-09",
      src_status: "active",
    },
    { overrides: { src_phone: "+1 202 555 0143" } },
  );
  // Matches by name and date of birth, though the address of the mail is another one.
  put("erp", "party", "C-78", {
    src_name: "grace hopper",
    src_birth_date: "1986-12-09",
    src_email: "g.hopper@example.com",
  });
  // Only a proposal: the name alone.
  put("erp", "party", "C-79", { src_name: "Ada Lovelace", src_email: "ada.l@example.net" });
  put("crm", "party", "1003", { src_name: "Alan Turing", src_email: "alan@example.org" }, { active: false });
  put(
    "crm",
    "party",
    "1004",
    { src_name: "Edsger Dijkstra", src_email: "edsger@example.org" },
    { activity: false },
  );
  // A comma in a value is data; one in a source id cannot be asked for.
  put("crm", "party", "1005", { src_name: "Hamilton, Margaret", src_email: "margaret@example.org" });
  // The same source id in both systems.
  put("erp", "party", "1001", { src_name: "Katherine Johnson", src_email: "katherine@example.org" });

  const home = put("crm", "address", "A-1", {
    src_street: "12 St James's Square",
    src_city: "London",
    src_zip: "SW1Y 4LB",
    src_type: "Residential",
  });
  const office = put("erp", "address", "A-9", {
    src_street: "12 st james's square",
    src_city: "LONDON",
    src_zip: "SW1Y4LB",
    src_type: "Billing",
  });
  const arlington = put("crm", "address", "A-2", {
    src_street: "1 Navy Way",
    src_city: "Arlington",
    src_state: "VA",
    src_zip: "22202",
    src_type: "Residential",
  });
  const mail = put("crm", "contact", "K-1", { src_kind: "newsletter", src_value: "Ada@Example.org" });
  relate(data, ada, "addresses", home);
  relate(data, adaErp, "addresses", office);
  relate(data, grace, "addresses", arlington);
  relate(data, ada, "rev_party_has_contact", mail);

  for (const [code, name] of [
    ["RETAIL", "Retail customers"],
    ["WHOLESALE", "Wholesale"],
    ["STAFF", "Employees"],
  ] as const) {
    authorMaster(data, {
      entity: "segment",
      attributes: { cmo_code: code, cmo_name: name },
      by: "ferry-steward",
    });
  }
  const house = authorMaster(data, {
    entity: "party",
    attributes: { cmo_code: "HOUSE", cmo_name: "The Grocer Ltd", cmo_email: "office@example.org" },
    by: "ferry-steward",
  });
  overrideMaster(data, house, { cmo_phone: "442079460000" });
  const hall = authorMaster(data, {
    entity: "address",
    attributes: { cmo_street: "MARKET HALL 1", cmo_city: "BERN", cmo_zip: "3011", cmo_type: "Store" },
    by: "ferry-steward",
  });
  relateMasters(data, house, "addresses", hall);
}

function prepareProd(data: MasterData): void {
  const put = filler(data, "Prod");
  const ada = put("crm", "party", "1001", {
    src_name: "Ada Lovelace",
    src_email: "ada@example.org",
    src_phone: "+44 20 7946 0000",
    src_birth_date: "1985-12-10",
    src_status: "active",
    src_is_vip: true,
  });
  put("crm", "party", "1002", {
    src_name: "Grace Hopper",
    src_email: "grace@example.org",
    src_birth_date: "1986-12-09",
    src_status: "active",
  });
  put("crm", "party", "9001", { src_name: "Barbara Liskov", src_email: "barbara@example.org" });
  const home = put("crm", "address", "A-1", {
    src_street: "12 St James's Square",
    src_city: "London",
    src_zip: "SW1Y 4LB",
    src_type: "Residential",
  });
  relate(data, ada, "addresses", home);
  authorMaster(data, {
    entity: "segment",
    attributes: { cmo_code: "RETAIL", cmo_name: "Retail" },
    by: "ferry-steward",
  });
  authorMaster(data, { entity: "segment", attributes: { cmo_code: "LOCAL", cmo_name: "Only here" } });
}
