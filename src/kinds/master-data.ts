import type { Plan } from "../model/plan.ts";
import type { PlanProblem } from "../plan/plan-error.ts";
import type { RecordsKind } from "./kind.ts";
import { instanceTable } from "./shared/instance-table.ts";
import { masterTable } from "./shared/master-table.ts";
import { recordsSettings } from "./shared/records.ts";

/**
 * Records of the master-data server (document 3). Instances are known by origin and source id on every server, masters
 * that a person has authored by columns that the plan names.
 */
export const masterData: RecordsKind = {
  mode: "records",
  name: "master-data",
  selectedAs: "master-data",
  urnTypes: [],
  service: "master-data",
  settings: { ...recordsSettings, check: problemsOf },
  tables({ records }) {
    const { masterData: entities, remove } = records;
    const origins = entities.flatMap((plan) =>
      plan.layer === "instance" ? Object.entries(plan.origins) : [],
    );
    const moved = new Map(
      entities.flatMap(({ layer, entity, columns }): readonly [string, readonly string[]][] =>
        layer === "instance" ? [[entity, columns]] : [],
      ),
    );
    return entities.map((plan) =>
      plan.layer === "instance"
        ? instanceTable(plan, {
            renamed: new Map([...origins, ...Object.entries(plan.origins)]),
            moved,
            removes: remove,
          })
        : masterTable(plan, entities, new Map(origins), remove),
    );
  },
};

function problemsOf({ select, records, source, target }: Plan): readonly PlanProblem[] {
  const problems: PlanProblem[] = [];
  if (!select.kinds.includes("master-data")) return problems;
  if (records.masterData.length === 0)
    problems.push({
      path: "records.masterData",
      summary: "master-data is selected, and no entity is named",
      suggestion:
        'Name them: masterData: [ { layer: instance, entity: party, origins: { "crm#party#Dev": "crm#party#Prod" } } ].',
    });
  for (const [side, environment] of [["source", source] as const, ["target", target] as const])
    if (environment.masterData === undefined)
      problems.push({
        path: side,
        summary: "master-data is selected, and no master-data server is named",
        suggestion: `Write masterData (baseUrl, username, password) under ${side}.`,
      });
  // They would share their files, also where only capital letters differ.
  const names = records.masterData.map((plan) =>
    (plan.layer === "instance" ? plan.entity : `${plan.view}/${plan.entity}`).toLowerCase(),
  );
  for (const [index, plan] of records.masterData.entries()) {
    const path = `records.masterData[${index}]`;
    if (names.indexOf(names[index] ?? "") !== index)
      problems.push({ path, summary: `the entity ${names[index] ?? ""} is named twice` });
    if (plan.layer === "master" && Object.keys(plan.filter).length === 0 && plan.authored === undefined)
      problems.push({
        path,
        summary: "no field tells authored masters from those that are merged of instances",
        suggestion: "Give a filter that only authored ones pass, or say authored: all.",
      });
  }
  return problems;
}
