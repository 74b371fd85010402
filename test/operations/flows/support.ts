import { onTestFinished } from "vitest";
import type { Tenant } from "../../../src/emulator/index.ts";
import * as seed from "../../../src/emulator/seed.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { PlanChanges, World } from "../../support/world.ts";
import { world } from "../../support/world.ts";
import { isToken } from "../support.ts";

export const start = "POST /api/catalog/v1/documentation-flow/start";
export const poll = "GET /api/processing/v1/workflows/:urn";

export interface FlowWorld {
  readonly world: World;
  readonly dev: Tenant;
  readonly prod: Tenant;
  /** Of all kinds, at the target. */
  readonly workflows: () => readonly { readonly urn: Urn; readonly name: string; readonly status: string }[];
  readonly starts: () => number;
}

export const before = (changes: object = {}): NonNullable<PlanChanges["flows"]> => ({
  before: [{ configuration: "Import", connection: "prod-wh", run: "always", ...changes }],
  after: [],
});

export const after = (changes: object = {}): NonNullable<PlanChanges["flows"]> => ({
  before: [],
  after: [{ configuration: "Import", connection: "prod-wh", run: "when-changed", ...changes }],
});

/** Both sides of the demo's estate with nothing to move; nothing waits for the clock. */
export async function flowWorld(): Promise<FlowWorld> {
  const there = await world("empty", { kept: "memory" });
  onTestFinished(() => there.close());
  const [dev, prod] = [there.emulator.tenant("dev"), there.emulator.tenant("prod")];
  prod.quirks.workflowRetryAfter = 0;
  return {
    world: there,
    dev,
    prod,
    workflows: () => [...prod.workflows.values()],
    starts: () =>
      there.emulator.log.entries.filter((entry) => entry.route === start && !isToken(entry)).length,
  };
}

export function connection(tenant: Tenant, name: string): Urn {
  const found = [...tenant.entities.values()].find(
    ({ concreteType, properties }) => concreteType === "connection" && properties["name"] === name,
  );
  if (found === undefined) throw new Error(`${tenant.name} has no connection ${name}`);
  return found.urn;
}

/** A table of the source that the target does not have before an import finds it. */
export function lateTable({ dev, prod }: FlowWorld): void {
  const put = (tenant: Tenant, origin: string, on: string): Urn => {
    const connectionUrn = connection(tenant, on);
    const location = [...tenant.entities.values()].find(
      ({ concreteType, properties }) => concreteType === "location" && properties["name"] === origin,
    );
    if (location === undefined) throw new Error(`${tenant.name} has no location ${origin}`);
    const { item } = seed.seedCatalogItem(tenant, {
      name: "LATE",
      parentUrn: location.urn,
      connectionUrn,
      originPath: `${origin}/LATE`,
      attributes: ["ID"],
    });
    return item.urn;
  };
  const catalogItemUrn = put(dev, "DEV_SALES", "dev-wh");
  seed.seedMonitor(dev, { catalogItemUrn, name: "Late monitor" });
  let isThere = false;
  seed.seedImport(prod, connection(prod, "prod-wh"), () => {
    if (!isThere) put(prod, "PROD_SALES", "prod-wh");
    isThere = true;
  });
}
