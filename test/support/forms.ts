import type { Tenant } from "../../src/emulator/index.ts";
import { asText, type JsonObject } from "../../src/emulator/json.ts";

interface Rows {
  put(row: { readonly published?: JsonObject; readonly draft?: JsonObject }): unknown;
}

/**
 * No document says that a service keeps each text as it is sent. From now on this one keeps every description of a term, a rule, a monitor or
 * a dashboard in a form of its own, whoever writes it.
 */
export function keepsDescriptions(
  { terms, rules, monitors, dashboards }: Tenant,
  form: (text: string) => string,
): void {
  const kept = (body: JsonObject): JsonObject =>
    body["description"] === undefined ? body : { ...body, description: form(asText(body["description"])) };
  for (const rows of [terms, rules, monitors, dashboards] as unknown as readonly Rows[]) {
    const put = rows.put.bind(rows);
    rows.put = ({ published, draft, ...row }) =>
      put({
        ...row,
        ...(published === undefined ? {} : { published: kept(published) }),
        ...(draft === undefined ? {} : { draft: kept(draft) }),
      });
  }
}
