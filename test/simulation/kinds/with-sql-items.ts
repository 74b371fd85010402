import type { Tenant } from "../../../src/emulator/index.ts";
import { sqlItemType } from "../../../src/emulator/catalog/sql-items.ts";
import type { CatalogItem } from "../../../src/emulator/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { Given } from "../../properties/estates/given.ts";
import { itemNames } from "../../properties/estates/given.ts";

/** Behind the given items stand the SQL items that there are, so that monitors, joins and terms lie over these as well. */
export function withSqlItems(given: Given, tenant: Tenant): Given {
  const at = (index: number): CatalogItem | number => {
    const sqlItems = [...tenant.items.values()].filter(({ type }) => type === sqlItemType);
    const place = index % (itemNames.length + sqlItems.length);
    return sqlItems[place - itemNames.length] ?? place;
  };
  return {
    ...given,
    item(index) {
      const found = at(index);
      return typeof found === "number" ? given.item(found) : found.urn;
    },
    primary(index) {
      const found = at(index);
      return typeof found === "number" ? given.primary(found) : there(found.primaryMonitorUrn, "primary");
    },
    attribute(index, which) {
      const found = at(index);
      if (typeof found === "number") return given.attribute(found, which);
      const columns = [...tenant.attributes.values()].filter(
        ({ catalogItemUrn }) => catalogItemUrn === found.urn,
      );
      return there(columns[which % Math.max(1, columns.length)]?.urn, "column");
    },
  };
}

function there(urn: Urn | undefined, what: string): Urn {
  if (urn === undefined) throw new Error(`there is no ${what} of an SQL item`);
  return urn;
}
