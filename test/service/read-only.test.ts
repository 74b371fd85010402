import { describe, expect, test } from "vitest";
import { openReadClient, openWriteClient } from "../../src/service/index.ts";
import { environment, setup } from "./support.ts";

/** Every function that can be reached from a value, by its path; prototypes and symbols included. */
function functions(value: unknown, path: string, seen = new Set<unknown>()): string[] {
  if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value))
    return [];
  seen.add(value);
  const found = typeof value === "function" ? [path] : [];
  for (const key of Reflect.ownKeys(value)) {
    if (typeof value === "function") continue;
    found.push(...functions(Reflect.get(value, key), `${path}.${String(key)}`, seen));
  }
  return found;
}

const { options } = setup();

describe("a client that must not write", () => {
  const client = openReadClient(environment, options);

  test("has exactly the reads, in fact and not only by type", () => {
    expect(functions(client, "client").toSorted()).toEqual(
      [
        "client.catalog.attribute",
        "client.catalog.attributes",
        "client.catalog.catalogItem",
        "client.catalog.catalogItems",
        "client.catalog.documentationFlowConfigurations",
        "client.catalog.entities",
        "client.catalog.entity",
        "client.catalog.entityDefinition",
        "client.catalog.filterCatalogItems",
        "client.catalog.folder",
        "client.catalog.folders",
        "client.catalog.metadataModel",
        "client.catalog.term",
        "client.catalog.terms",
        "client.close",
        "client.hear",
        "client.processing.job",
        "client.processing.jobs",
        "client.processing.workflow",
        "client.processing.workflows",
        "client.quality.dashboard",
        "client.quality.dashboards",
        "client.quality.dimensions",
        "client.quality.evaluation",
        "client.quality.latestRuns",
        "client.quality.monitor",
        "client.quality.monitors",
        "client.quality.results",
        "client.quality.rule",
        "client.quality.rules",
        "client.quality.runResults",
        "client.quality.sampleHeaders",
        "client.quality.samples",
        "client.quality.transformations",
        "client.referenceData.draftRecords",
        "client.referenceData.publishedRecords",
        "client.referenceData.reviewRecords",
        "client.referenceData.tables",
        "client.requests",
        "client.signIn",
      ].toSorted(),
    );
  });

  test("shares no object with one that may, and cannot be given a method", () => {
    const writer = openWriteClient(environment, options);
    expect(functions(writer, "client").length).toBeGreaterThan(functions(client, "client").length);
    for (const part of [client, client.catalog, client.quality, client.processing, client.referenceData]) {
      expect(Object.isFrozen(part)).toBe(true);
      expect(Object.getPrototypeOf(part)).toBe(Object.prototype);
    }
  });

  test("shows where it goes, not how it signs in", () => {
    expect(client.environment).toEqual({ name: "dev", baseUrl: "https://dev.example.com", realm: "acme" });
    expect(JSON.stringify(client)).not.toContain(environment.clientSecret);
  });
});
