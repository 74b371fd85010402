import type { Urn } from "../../../model/urn.ts";
import type { Json } from "../../json.ts";
import type { Attribute, Dimension, Instance, RunInputs } from "../../state.ts";
import { holds } from "./conditions.ts";
import { cell, hash } from "./table.ts";

export interface Counts {
  readonly passedCount: number;
  readonly failedCount: number;
}

export interface InstanceOutcome extends Counts {
  readonly instance: Instance;
  /** By the URN of the result. */
  readonly results: ReadonlyMap<Urn, number>;
  /** By the key of the condition. */
  readonly explanations: ReadonlyMap<string, number>;
  /** By row: which condition the row failed by, -1 for none; undefined where it passed. */
  readonly failed: ReadonlyMap<number, number>;
}

interface DimensionOutcome extends Counts {
  readonly dimension: Dimension;
  readonly ruleInstanceCount: number;
}

export interface Quality {
  readonly overall: Counts;
  readonly dimensions: readonly DimensionOutcome[];
}

export interface Evaluation extends Quality {
  readonly instances: readonly InstanceOutcome[];
  readonly attributes: readonly (Quality & {
    readonly attribute: Attribute;
    readonly instances: readonly InstanceOutcome[];
  })[];
  /** Rows that failed anything, in order. */
  readonly invalid: readonly number[];
}

/** A record passes where it passes every rule instance that is looked at. */
export function evaluate(inputs: RunInputs): Evaluation {
  const { rows } = inputs.table;
  const instances = inputs.instances.map((instance) => outcomeOf(instance, rows));
  const attributes = inputs.attributes.flatMap((attribute) => {
    const own = instances.filter(({ instance }) =>
      instance.columns.some((column) => column.attribute.urn === attribute.urn),
    );
    return own.length === 0 ? [] : [{ attribute, instances: own, ...qualityOf(own, rows) }];
  });
  const invalid = Array.from({ length: rows }, (_, row) => row).filter((row) =>
    instances.some(({ failed }) => failed.has(row)),
  );
  return { instances, attributes, invalid, ...qualityOf(instances, rows) };
}

function qualityOf(instances: readonly InstanceOutcome[], rows: number): Quality {
  const dimensions = new Map(instances.map(({ instance: { dimension } }) => [dimension.urn, dimension]));
  return {
    overall: countsOf(instances, rows),
    dimensions: [...dimensions.values()].map((dimension) => {
      const own = instances.filter(({ instance }) => instance.dimension.urn === dimension.urn);
      return { dimension, ruleInstanceCount: own.length, ...countsOf(own, rows) };
    }),
  };
}

function countsOf(instances: readonly InstanceOutcome[], rows: number): Counts {
  const failed = new Set(instances.flatMap((outcome) => [...outcome.failed.keys()]));
  return { passedCount: rows - failed.size, failedCount: failed.size };
}

function outcomeOf(instance: Instance, rows: number): InstanceOutcome {
  const results = new Map<Urn, number>(instance.dimension.results.map(({ urn }) => [urn, 0]));
  const explanations = new Map<string, number>();
  const failed = new Map<number, number>();
  const passes = new Map(
    instance.dimension.results.map((result) => [result.urn, result.passedOverallResult]),
  );
  for (let row = 0; row < rows; row += 1) {
    const cells = cellsOf(instance, row);
    const index = instance.conditions.findIndex(({ expression }) =>
      holds(expression, instance.parameters, cells),
    );
    const condition = instance.conditions[index];
    const result = condition?.resultUrn ?? instance.otherwise;
    results.set(result, (results.get(result) ?? 0) + 1);
    if (passes.get(result) !== false) continue;
    failed.set(row, index);
    if (condition?.explanation !== undefined)
      explanations.set(condition.key, (explanations.get(condition.key) ?? 0) + 1);
  }
  return {
    instance,
    results,
    explanations,
    failed,
    passedCount: rows - failed.size,
    failedCount: failed.size,
  };
}

/** The row of a joined item is one that follows from the row here. */
function cellsOf(instance: Instance, row: number): ReadonlyMap<string, Json> {
  return new Map(
    instance.columns.map(({ input, attribute, table, joined }) => {
      const place = joined && table.rows > 0 ? hash(`join ${table.seed} ${row}`) % table.rows : row;
      return [input, cell(table, attribute, place)];
    }),
  );
}
