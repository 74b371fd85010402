import { text } from "../model/json.ts";
import { ServiceError } from "../service/index.ts";
import type { ReadClient } from "../service/index.ts";
import type { Found, GivenKind } from "./kind.ts";
import { all, toFound } from "./shared/found.ts";

/**
 * Transformations, paired by name and input data type (document 2, Migration rules 3). Path and fields are a guess
 * of page 04: where the environment does not know the path, explicit mappings take its place.
 */
export const transformations: GivenKind = {
  name: "transformations",
  selectedAs: "transformations",
  mode: "given",
  urnTypes: ["data-quality:transformation"],
  discovers: true,
  after: [],
  read: list,
  candidates: list,
  sourceKeys: (record) => [key(record)],
  targetKeys: (record) => [key(record)],
  traits(record) {
    const type = text(record.body, "inputDataType") ?? "";
    return [
      { label: "name", value: record.name, fits: [record.name] },
      { label: "input type", value: type, fits: [type] },
    ];
  },
  advice:
    "Create the transformation at the target with the same name and input type, or run `ferry mappings PLAN set <source urn> <target urn>`.",
};

async function list(client: ReadClient): Promise<readonly Found[]> {
  try {
    return (await all(client.quality.transformations())).map(toFound);
  } catch (error) {
    if (error instanceof ServiceError && (error.kind === "not-found" || error.kind === "refused")) return [];
    throw error;
  }
}

function key(record: Found): string {
  return JSON.stringify([record.name, text(record.body, "inputDataType") ?? ""]);
}
