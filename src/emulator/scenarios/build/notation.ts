import type { AttributeSpec, ItemSpec, RuleSpec, RuleUseSpec, TermSpec } from "./spec.ts";

/** The short forms in which the content of the demo is written. */
type Place = Pick<ItemSpec, "source" | "connection" | "locations">;

/** A table whose attributes are written as `NAME DATATYPE column type`. */
export function table(
  place: Place,
  name: string,
  description: string | undefined,
  attributes: readonly string[],
  key = name,
): ItemSpec {
  return {
    ...place,
    key,
    name,
    ...(description === undefined ? {} : { description }),
    attributes: attributes.map(attribute),
  };
}

function attribute(line: string): AttributeSpec {
  const [name = "", dataType = "", ...columnType] = line.split(" ");
  return { name, dataType, columnType: columnType.join(" ") };
}

/** A term of one type. */
export function termOf(type: string): (key: string, name: string, rest?: TermContent) => TermSpec {
  return (key, name, rest = {}) => ({ key, type, name, ...rest });
}

type TermContent = Omit<TermSpec, "key" | "type" | "name">;

/** A rule of one dimension; the key is the name unless it says otherwise. */
export function ruleOf(dimension: string): (name: string, inputs: string, rest: RuleContent) => RuleSpec {
  return (name, inputs, { key = name, joined, conditions, parameters, ...rest }) => ({
    key,
    name,
    dimension,
    groups: [
      { joined: false, inputs: named(inputs) },
      ...(joined === undefined
        ? []
        : [joined].flat().map((group) => ({ joined: true, inputs: named(group) }))),
    ],
    ...(parameters === undefined ? {} : { parameters: parameters.map(parameter) }),
    conditions: conditions.map(([when, result, explanation]) => ({
      when,
      result,
      ...(explanation === undefined ? {} : { explanation }),
    })),
    ...rest,
  });
}

interface RuleContent extends Pick<RuleSpec, "description" | "otherwise" | "transformations"> {
  readonly key?: string;
  readonly joined?: string | readonly string[];
  /** `name DATATYPE`, or that and a default value. */
  readonly parameters?: readonly (string | readonly [string, unknown])[];
  readonly conditions: readonly (readonly [when: string, result: string, explanation?: string])[];
}

/** `"email STRING, phone STRING"` */
function named(list: string): readonly { name: string; dataType: string }[] {
  return list.split(", ").map((entry) => {
    const [name = "", dataType = ""] = entry.split(" ");
    return { name, dataType };
  });
}

function parameter(entry: string | readonly [string, unknown]): NonNullable<RuleSpec["parameters"]>[number] {
  const [text, value] = typeof entry === "string" ? [entry, undefined] : entry;
  const [name = "", dataType = ""] = text.split(" ");
  return { name, dataType, ...(value === undefined ? {} : { value }) };
}

/** A rule on the attributes of an item: `use("Email format", "email=EMAIL")`. */
export function use(rule: string, on: string, rest: Omit<RuleUseSpec, "rule" | "on"> = {}): RuleUseSpec {
  return { rule, on: pairs(on), ...rest };
}

/** The part of a rule use that reads a joined item. */
export function across(item: string, on: string): NonNullable<RuleUseSpec["across"]> {
  return { item, on: pairs(on) };
}

/** `"a=B, c=D"` */
function pairs(list: string): Readonly<Record<string, string>> {
  return Object.fromEntries(list.split(", ").map((entry) => entry.split("=")) as [string, string][]);
}
