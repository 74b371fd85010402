import { editRecord, seedReferenceTable } from "../../seed.ts";
import type { JsonObject } from "../../json.ts";
import type { Tenant } from "../../tenant.ts";

/** Countries that the grocer delivers to, and the currencies it takes; production has older ones of both. */

const countries: readonly JsonObject[] = [
  { code: "AT", name: "Austria", vat: 10, delivers: true, since: "2019-03-01" },
  { code: "BE", name: "Belgium", vat: 6, delivers: true, since: "2020-06-15" },
  { code: "CH", name: "Switzerland", vat: 2.6, delivers: false },
  { code: "DE", name: "Germany", vat: 7, delivers: true, since: "2018-01-01" },
  { code: "DK", name: "Denmark", vat: 25, delivers: false },
  { code: "FR", name: "France", vat: 5.5, delivers: true, since: "2019-09-01" },
  { code: "LU", name: "Luxembourg", vat: 3, delivers: true, since: "2021-02-01" },
  { code: "NL", name: "Netherlands", vat: 9, delivers: true, since: "2018-05-01" },
];

const currencies: readonly JsonObject[] = [
  { iso: "EUR", name: "Euro", digits: 2 },
  { iso: "CHF", name: "Swiss franc", digits: 2 },
  { iso: "DKK", name: "Danish krone", digits: 2 },
  { iso: "JPY", name: "Yen", digits: 0 },
];

export function prepareReferenceData(source: Tenant, target: Tenant): void {
  for (const [tenant, isTarget] of [
    [source, false],
    [target, true],
  ] as const) {
    const table = seedReferenceTable(tenant, {
      name: "Countries",
      columns: { code: "STRING", name: "STRING", vat: "NUMBER", delivers: "BOOLEAN", since: "DATE" },
      rows: isTarget ? countries.slice(0, 5) : countries,
    });
    seedReferenceTable(tenant, {
      name: "Currencies",
      columns: { iso: "STRING", name: "STRING", digits: "INTEGER" },
      rows: isTarget ? currencies.slice(0, 2) : currencies,
    });
    if (!isTarget) continue;
    const [belgium] = table.publishedWith("code", "BE");
    if (belgium !== undefined) editRecord(table, belgium, { vat: 12, delivers: false, since: null });
  }
}
