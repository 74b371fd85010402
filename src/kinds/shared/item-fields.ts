/** Fields of a catalog item itself (document 1, "Catalog item"): none of them is asked for as an extra property. */
export const itemFields = [
  "urn",
  "name",
  "description",
  "originPath",
  "connection",
  "source",
  "termAssignments",
  "locations",
  "folders",
  "primaryDqMonitor",
  "aliases",
  "effectiveStewardship",
  "effectiveCriticality",
  "extraProperties",
] as const;
