/**
 * The fields that document 1 names ("Resources and their fields", and what its requests take beside them), each with what
 * becomes of it. What is compared is compared by `meaning.ts` and `catalog.ts`; the rest says why it is not.
 */
export type Fate = "compared" | { readonly not: string };

const own = { not: "the server generates URNs on creation" };
const service = { not: "the service works it out, and no request takes it" };
const imported = { not: "imported: the same on both sides, by which the thing is known" };
const byQuery = { not: "found by the service: imported, or what the query of an SQL item gives" };
const earlier = { not: "moved as monitors or term-assignments, which their own suites compare" };

export const documented = {
  Term: {
    urn: own,
    type: "compared",
    name: "compared",
    description: "compared",
    detectionRules: "compared",
    attributeToCatalogItemTermRules: "compared",
    extraProperties: "compared",
    effectiveCriticality: service,
    effectiveStewardship: "compared",
  },
  Attribute: {
    urn: own,
    name: byQuery,
    dataType: byQuery,
    columnType: byQuery,
    description: "compared",
    catalogItemUrn: imported,
    termAssignments: earlier,
    termDetectionDenylist: "compared",
    effectiveCriticality: service,
    extraProperties: "compared",
  },
  CatalogItem: {
    urn: own,
    name: imported,
    description: "compared",
    originPath: imported,
    connection: imported,
    source: imported,
    termAssignments: service,
    locations: imported,
    folders: { not: "of SQL items, and compared there" },
    primaryDqMonitor: earlier,
    aliases: "compared",
    effectiveStewardship: "compared",
    effectiveCriticality: service,
    extraProperties: "compared",
  },
  /** What a creation takes as well; its type is always the same. */
  SqlItem: {
    name: "compared",
    description: "compared",
    connectionUrn: "compared",
    folderUrn: "compared",
    query: "compared",
    aliases: "compared",
    extraProperties: "compared",
  },
  Folder: {
    urn: own,
    name: "compared",
    description: "compared",
    parentUrn: "compared",
    extraProperties: "compared",
  },
  Entity: {
    urn: own,
    parentUrn: "compared",
    parentProperty: "compared",
    rootSuperType: service,
    concreteType: "compared",
    properties: "compared",
    effectiveStewardship: "compared",
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Fate>>>>;

export type Resource = keyof typeof documented;

/** `Term.description`. */
export function comparedFields(): readonly (readonly [Resource, string])[] {
  return (Object.keys(documented) as Resource[]).flatMap((resource) =>
    Object.entries(documented[resource])
      .filter(([, fate]) => fate === "compared")
      .map(([field]) => [resource, field] as const),
  );
}
