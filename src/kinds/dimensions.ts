import type { JsonObject } from "../model/json.ts";
import { isArray, isObject, own, text } from "../model/json.ts";
import type { ReadClient } from "../service/index.ts";
import type { Found, GivenKind, NotKnown, PartProblem } from "./kind.ts";
import { each, listOrNotKnown } from "./shared/not-known.ts";
import { toFound } from "./shared/found.ts";
import { wholeList } from "./shared/whole-list.ts";

/**
 * Data-quality dimensions with their results, paired by name (page 04, "Paths that fill gaps", "Values seen"). The
 * same result name with another passedOverallResult would silently change every score: it is refused.
 */
export const dimensions: GivenKind = {
  name: "dimensions",
  selectedAs: "dimensions",
  mode: "given",
  urnTypes: ["data-quality:dq-dimension", "data-quality:dimension"],
  discovers: true,
  after: [],
  ...wholeList(list),
  sourceKeys: (record) => [record.name],
  targetKeys: (record) => [record.name],
  parts(source, target) {
    const pairs: [string, string][] = [];
    const problems: PartProblem[] = [];
    for (const result of results(source)) {
      const urn = text(result, "urn") ?? "";
      const name = text(result, "name") ?? "";
      const [twins, here] = [named(target, name), named(source, name)];
      const [twin] = twins;
      const suggestion = `Make the results of the dimension "${source.name}" the same in both environments.`;
      if (here.length > 1) {
        // A thing of the target is the twin of one alone, and as many of that name there could not be told apart either.
        const reason = `the dimension "${source.name}" has ${here.length} results named "${name}" at the source`;
        const rename = `Give each result of the dimension "${source.name}" a name of its own, the same in both environments.`;
        problems.push({ urn, reason, suggestion: rename });
      } else if (twin === undefined || twins.length > 1) {
        const reason = `the dimension "${source.name}" has ${twins.length} results named "${name}" at the target`;
        problems.push({ urn, reason, suggestion });
      } else if (passed(twin) !== passed(result)) {
        const reason = `the result "${name}" of "${source.name}" counts as ${passed(result)} at the source and as ${passed(twin)} at the target`;
        problems.push({ urn, reason, suggestion });
      } else {
        pairs.push([urn, text(twin, "urn") ?? ""]);
      }
    }
    return { pairs, problems };
  },
  advice: "Create the dimension with the same results at the target.",
};

async function list(client: ReadClient): Promise<readonly Found[] | NotKnown> {
  return each(await listOrNotKnown(client.quality.dimensions(), "guessed"), toFound);
}

function results(dimension: Found): readonly JsonObject[] {
  const found = own(dimension.body, "results");
  return isArray(found) ? found.filter(isObject) : [];
}

function named(dimension: Found, name: string): readonly JsonObject[] {
  return results(dimension).filter((result) => text(result, "name") === name);
}

/** What is not told is neither: nobody says what it counts as then. */
function passed(result: JsonObject): string {
  const flag = own(result, "passedOverallResult");
  return typeof flag === "boolean" ? (flag ? "passed" : "failed") : "neither passed nor failed";
}
