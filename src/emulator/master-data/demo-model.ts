import { asText, type Json, type JsonObject } from "../json.ts";
import type { ColumnType, EntityModel, MasterModel, Model } from "./model.ts";

/** Parties with addresses and contacts, and segments that nobody but a person makes. */

const strings = (...names: string[]): { name: string; type: ColumnType }[] =>
  names.map((name) => ({ name, type: "STRING" as const }));

const tidy = (value: Json | undefined): string => asText(value).trim().replaceAll(/\s+/g, " ");
const upper = (value: Json | undefined): string | null => tidy(value).toUpperCase() || null;
const computed = (name: string, compute: (source: JsonObject) => Json): EntityModel["computed"][number] => ({
  name,
  type: "STRING",
  compute,
});
const joined = (...parts: (Json | undefined)[]): string | undefined => {
  const texts = parts.map(asText);
  return texts.includes("") ? undefined : texts.join("|");
};

const party: EntityModel = {
  name: "party",
  columns: [
    ...strings("src_name", "src_email", "src_phone", "src_status", "src_note"),
    { name: "src_birth_date", type: "DATE" },
    { name: "src_credit_limit", type: "INTEGER" },
    { name: "src_is_vip", type: "BOOLEAN" },
  ],
  computed: [
    computed("std_name", ({ src_name }) => upper(src_name)),
    computed("std_email", ({ src_email }) => tidy(src_email).toLowerCase() || null),
    computed("std_phone", ({ src_phone }) => asText(src_phone).replaceAll(/\D/g, "") || null),
    computed("cmo_name", ({ src_name }) => titled(tidy(src_name)) || null),
  ],
  rules: [
    { name: "same_email", quality: 1, key: ({ std_email }) => joined(std_email) },
    {
      name: "same_name_and_birth_date",
      quality: 0.9,
      key: ({ std_name, src_birth_date }) => joined(std_name, src_birth_date),
    },
    { name: "same_name", quality: 0.6, key: ({ std_name }) => joined(std_name), proposes: true },
  ],
};

const address: EntityModel = {
  name: "address",
  columns: strings("src_street", "src_city", "src_state", "src_zip", "src_type"),
  computed: [
    computed("std_street", ({ src_street }) => upper(src_street)),
    computed("std_city", ({ src_city }) => upper(src_city)),
    computed("std_zip", ({ src_zip }) => asText(src_zip).replaceAll(/\s/g, "") || null),
  ],
  rules: [
    {
      name: "same_place",
      quality: 1,
      key: ({ std_street, std_zip, std_city }) => joined(std_street, std_zip, std_city),
    },
  ],
};

const contact: EntityModel = {
  name: "contact",
  columns: strings("src_kind", "src_value"),
  computed: [computed("std_value", ({ src_value }) => tidy(src_value).toLowerCase() || null)],
  rules: [],
};

const merged = (of: Readonly<Record<string, string>>): MasterModel["columns"] =>
  Object.entries(of).map(([name, from]) => ({ name, from, type: "STRING" as const }));

const masterParty: MasterModel = {
  name: "party",
  columns: [
    ...merged({
      cmo_name: "cmo_name",
      cmo_email: "std_email",
      cmo_phone: "std_phone",
      cmo_status: "src_status",
    }),
    { name: "cmo_birth_date", type: "DATE", from: "src_birth_date" },
    ...strings("cmo_code"),
  ],
};

export const demoModel: Model = {
  entities: [party, address, contact],
  relationships: [
    {
      name: "party_has_address",
      parent: "party",
      child: "address",
      parentRole: "party",
      childRole: "addresses",
    },
    { name: "party_has_contact", parent: "party", child: "contact" },
  ],
  views: [
    {
      name: "masters",
      entities: [
        masterParty,
        {
          name: "address",
          columns: merged({
            cmo_street: "std_street",
            cmo_city: "std_city",
            cmo_zip: "std_zip",
            cmo_state: "src_state",
            cmo_type: "src_type",
          }),
        },
        { name: "contact", columns: merged({ cmo_kind: "src_kind", cmo_value: "std_value" }) },
      ],
    },
    { name: "codes", entities: [{ name: "segment", columns: strings("cmo_code", "cmo_name") }] },
  ],
};

function titled(text: string): string {
  return text.toLowerCase().replaceAll(/(^|[\s-])\p{L}/gu, (start) => start.toUpperCase());
}
