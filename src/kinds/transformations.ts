import { text } from "../model/json.ts";
import type { ReadClient } from "../service/index.ts";
import type { Found, GivenKind, NotKnown } from "./kind.ts";
import { each, listOrNotKnown } from "./shared/not-known.ts";
import { toFound } from "./shared/found.ts";
import { wholeList } from "./shared/whole-list.ts";

/**
 * Transformations, paired by name and input data type (document 2, Migration rules 3). Path and fields are a guess
 * of page 04: where the environment does not know the path, what there is of them is not known, and explicit mappings
 * take its place.
 */
export const transformations: GivenKind = {
  name: "transformations",
  selectedAs: "transformations",
  mode: "given",
  urnTypes: ["data-quality:transformation"],
  discovers: true,
  after: [],
  ...wholeList(list),
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

async function list(client: ReadClient): Promise<readonly Found[] | NotKnown> {
  return each(await listOrNotKnown(client.quality.transformations(), "guessed"), toFound);
}

function key(record: Found): string {
  return JSON.stringify([record.name, text(record.body, "inputDataType") ?? ""]);
}
