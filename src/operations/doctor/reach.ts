import { kindsToList } from "../../engine/read/selection.ts";
import type { PlanEnvironment } from "../../model/plan.ts";
import { parseUrn } from "../../model/urn.ts";
import type { Page, ReadClient } from "../../service/index.ts";
import type { Migration } from "../migration.ts";
import type { Examination } from "./examination.ts";

/** Whether both sides let us in, and show each list that commands ask for; false where one does not let us in. */
export async function checkReach(migration: Migration, examination: Examination): Promise<boolean> {
  const { source, target, select } = migration.plan;
  let signedIn = 0;
  for (const [environment, client] of [
    [source, migration.source()],
    [target, migration.targetReads()],
  ] as const) {
    const { name: side, clientId } = environment;
    const tenants = new Set<string>();
    const isIn = await examination.look(side, "sign-in", async () => {
      await client.signIn();
      return `as ${clientId} in ${client.environment.realm}`;
    });
    if (!isIn) continue;
    signedIn += 1;
    for (const [name, list, optional] of readings(client, kindsToList(migration.registry, select)))
      await examination.look(side, name, async () => firstPage(list(), tenants), optional);
    tellOtherTenant(environment, tenants, examination);
  }
  return signedIn === 2;
}

type Reading = readonly [name: string, list: () => AsyncIterable<Page>, withoutIt?: string];

/** `listed`: kinds that the plan's commands list; what no other plan needs is asked for where it does. */
function readings({ catalog, quality }: ReadClient, listed: ReadonlySet<string>): readonly Reading[] {
  const generic =
    "Where they cannot be listed (the metadata model may lack the type), they are paired by `ferry mappings PLAN set` only.";
  const named = (entityType: string) => (): AsyncIterable<Page> =>
    catalog.entities({ entityType, properties: ["name"] });
  return [
    ["metadata model", () => catalog.metadataModel()],
    ["terms", () => catalog.terms({})],
    ["catalog items", () => catalog.filterCatalogItems({ name: { isNotNull: true } }, {})],
    ["attributes", () => catalog.attributes({})],
    ...(listed.has("folders") ? ([["folders", () => catalog.folders({})]] as const) : []),
    ["rules", () => quality.rules()],
    ["monitors", () => quality.monitors({})],
    ["dashboards", () => quality.dashboards()],
    [
      "dimensions",
      () => quality.dimensions(),
      "Without dimensions no rule can be moved: pair them with `ferry mappings PLAN set`.",
    ],
    [
      "transformations",
      () => quality.transformations(),
      "The path is not documented: pair transformations with `ferry mappings PLAN set`.",
    ],
    ["sources", named("source"), generic],
    ["detection rules", named("detectionRule"), generic],
  ];
}

/** Adds whose the URNs on it are. */
async function firstPage(pages: AsyncIterable<Page>, tenants: Set<string>): Promise<string> {
  for await (const page of pages) {
    for (const { urn } of page.items) {
      const tenant = typeof urn === "string" ? parseUrn(urn)?.tenant : undefined;
      if (tenant !== undefined) tenants.add(tenant);
    }
    const total =
      page.total === undefined ? `${page.items.length} on the first page` : `${page.total} in all`;
    return `can be read, ${total}`;
  }
  return "can be read, none";
}

/**
 * Document 1 says that the realm is the tenant's name, and not that URNs spell it alike. What they say goes before
 * (`engine/read/own-urns.ts`); of a group that no list shows nothing says it, before something was made or paired there.
 */
function tellOtherTenant(
  { name, realm }: PlanEnvironment,
  tenants: ReadonlySet<string>,
  examination: Examination,
): void {
  const [other] = tenants;
  if (other === undefined || tenants.has(realm)) return;
  examination.tell([
    {
      severity: "warning",
      code: "tenant-not-the-realm",
      summary: `${name}: its URNs are of the tenant "${other}", and the plan's realm is "${realm}": URNs are told as they are there; those of groups under pairing.groups, where ${name} does not list groups, with the realm in the first run`,
      suggestion: `If ${name}'s sign-in takes "${other}" as well, write that as its realm. Otherwise look at what names a group in the diff before the first run.`,
    },
  ]);
}
