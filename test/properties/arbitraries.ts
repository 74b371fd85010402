import * as fc from "fast-check";
import type { Json } from "../../src/model/json.ts";
import type { Fields, Part, Sketch } from "./sketch.ts";
import { partsOf } from "./sketch.ts";

/** Objects that bodies refer to. */
export const objects = 6;
const object = fc.nat({ max: objects - 1 });

/** Names and texts come from the service: hostile input. */
const hostile = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "new_constructor",
  "new_x",
  "",
  "a/b",
  "~0~1",
  "0",
  "length",
  "\u202Eevil\u001B[31m",
];
const fieldName = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("name", "label", "rows", "config", "parts", "inputs", "value") },
  { weight: 2, arbitrary: fc.constantFrom(...hostile) },
  { weight: 1, arbitrary: object.map((of) => `@${of}`) },
  fc.string({ maxLength: 4 }).filter((name) => !["urn", "draftType", "served", "unset"].includes(name)),
);
const plain = fc.oneof(
  fc.constantFrom(
    "Email",
    "Email",
    "email is null",
    "urn:",
    "urn:a:b:c:d:e",
    "[",
    '[{"type":"entityReference"}]',
    "é\u0000\n",
  ),
  fc.constantFrom(...hostile),
  fc.string({ unit: "binary", maxLength: 6 }).map(withoutMarks),
);
const scalar: fc.Arbitrary<Json> = fc.oneof(
  plain,
  fc.integer(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(asJson),
);
const mixed = fc.array(fc.oneof(plain, object), { maxLength: 4 });

/** Every form in which a body can refer to something. */
const reference: fc.Arbitrary<Sketch> = fc.oneof(
  fc.record({ is: fc.constant("urn" as const), of: object }),
  fc.record({ is: fc.constant("uuid" as const), of: object }),
  fc.record({ is: fc.constant("own" as const), of: fc.nat({ max: 20 }) }),
  fc.record({ is: fc.constant("text" as const), parts: mixed }),
  fc.record({ is: fc.constant("rich" as const), parts: mixed }),
);
const leaf: fc.Arbitrary<Sketch> = fc.oneof(
  { weight: 2, arbitrary: scalar.map((value): Sketch => ({ is: "value", value })) },
  { weight: 2, arbitrary: reference },
);

const { fields } = fc.letrec<{ sketch: Sketch; fields: Fields; map: Sketch; list: Sketch }>((tie) => ({
  fields: fc
    .uniqueArray(fc.tuple(fieldName, tie("sketch")), {
      maxLength: 5,
      selector: ([name]) => name,
      depthIdentifier: "body",
    })
    .map((list): Fields => ({ is: "object", fields: list })),
  map: fc
    .array(tie("fields"), { minLength: 1, maxLength: 4, depthIdentifier: "body" })
    .map((bodies): Sketch => ({ is: "map", parts: bodies.map((body) => ({ id: 0, body: filled(body) })) })),
  list: fc
    .array(tie("sketch"), { maxLength: 4, depthIdentifier: "body" })
    .map((items): Sketch => ({ is: "list", items })),
  sketch: fc.oneof(
    { maxDepth: 9, depthSize: "medium", depthIdentifier: "body" },
    { weight: 5, arbitrary: leaf },
    { weight: 2, arbitrary: tie("map") },
    { weight: 2, arbitrary: tie("fields") },
    { weight: 1, arbitrary: tie("list") },
  ),
}));

/** A body: open trees with sub-entity maps at every level, references of every form, names that bite. */
export const body: fc.Arbitrary<Fields> = fields.map(numbered);

/**
 * Typed by its names, as the bodies of the service are: what is a map stays a map. `fixedParts` hold a field that
 * cannot change; own keys name joins only, which nothing replaces.
 */
const join = fc
  .record({ item: object, label: fc.constantFrom("one", "two", "three") })
  .map(({ item, label }): Fields => ({
    is: "object",
    fields: [
      ["item", { is: "urn", of: item }],
      ["label", { is: "value", value: label }],
    ],
  }));
const typedLeaf: fc.Arbitrary<Sketch> = fc.oneof(
  scalar.map((value): Sketch => ({ is: "value", value })),
  fc.record({ is: fc.constant("urn" as const), of: object }),
  fc.record({ is: fc.constant("rich" as const), parts: mixed }),
);
const leafFields = ["name", "label", "enabled", "__proto__", "constructor", "a/b"].map(
  (name) => [name, typedLeaf] as const,
);
const scalars: fc.Arbitrary<Sketch> = fc
  .array(typedLeaf, { maxLength: 3 })
  .map((items): Sketch => ({ is: "list", items }));
const rows: fc.Arbitrary<Sketch> = fc
  .array(some([...leafFields, ["tags", scalars]]), { maxLength: 3 })
  .map((items): Sketch => ({ is: "list", items }));
const inner = some([...leafFields, ["tags", scalars], ["rows", rows]]);
const part = some([
  ...leafFields,
  ["inputs", mapOf(inner)],
  ["rows", rows],
  ["config", inner],
  ["joinConfigurationKey", fc.record({ is: fc.constant("own" as const), of: fc.nat({ max: 20 }) })],
]);
const fixedPart = fc
  .tuple(part, object)
  .map(([body, of]): Fields => ({ is: "object", fields: [["ruleUrn", { is: "urn", of }], ...body.fields] }));

export const typedBody: fc.Arbitrary<Fields> = some(
  [
    ...leafFields,
    ["tags", scalars],
    ["rows", rows],
    ["config", inner],
    ["joins", mapOf(join)],
    ["parts", mapOf(part)],
    ["fixedParts", mapOf(fixedPart)],
  ],
  6,
).map((sketch) => numbered(joinsOnly(sketch)));

/** Some of these fields, each with a value of its own kind. */
function some(kinds: readonly (readonly [string, fc.Arbitrary<Sketch>])[], most = 4): fc.Arbitrary<Fields> {
  return fc
    .uniqueArray(fc.oneof(...kinds.map(([name, values]) => fc.tuple(fc.constant(name), values))), {
      maxLength: most,
      selector: ([name]) => name,
    })
    .map((fields): Fields => ({ is: "object", fields }));
}

function mapOf(item: fc.Arbitrary<Fields>): fc.Arbitrary<Sketch> {
  return fc
    .array(item, { minLength: 1, maxLength: 3 })
    .map((bodies): Sketch => ({ is: "map", parts: bodies.map((body) => ({ id: 0, body: filled(body) })) }));
}

/** An own key names the first sub-entities, which are those of `joins`; without joins it is an ordinary text. */
function joinsOnly(sketch: Fields): Fields {
  const isJoins = ([name]: readonly [string, Sketch]): boolean => name === "joins";
  const joins = sketch.fields.find(isJoins);
  const count = joins === undefined ? 0 : partsOf(joins[1]).length;
  const first = [
    ...(joins === undefined ? [] : [joins]),
    ...sketch.fields.filter((field) => !isJoins(field)),
  ];
  const change = (value: Sketch): Sketch => {
    if (value.is !== "own") return value;
    return count === 0 ? { is: "value", value: "no join" } : { is: "own", of: value.of % count };
  };
  return replaced({ is: "object", fields: first }, change) as Fields;
}

/** The same sketch with each of its nodes changed, leaves first. */
export function replaced(sketch: Sketch, change: (sketch: Sketch) => Sketch): Sketch {
  switch (sketch.is) {
    case "list":
      return change({ is: "list", items: sketch.items.map((item) => replaced(item, change)) });
    case "object":
      return change({
        is: "object",
        fields: sketch.fields.map(([name, field]) => [name, replaced(field, change)]),
      });
    case "map": {
      const parts = sketch.parts.map(({ id, body }): Part => ({
        id,
        body: replaced(body, change) as Fields,
      }));
      return change({ is: "map", parts });
    }
    default:
      return change(sketch);
  }
}

/** The sketch with one of its leaves saying something else; undefined when it has none. */
export function changedLeaf(sketch: Fields, which: number, value: string): Fields | undefined {
  const isLeaf = ({ is }: Sketch): boolean => is !== "list" && is !== "object" && is !== "map";
  let count = 0;
  replaced(sketch, (node) => {
    if (isLeaf(node)) count += 1;
    return node;
  });
  if (count === 0) return undefined;
  let at = 0;
  return replaced(sketch, (node) => {
    if (!isLeaf(node)) return node;
    at += 1;
    return at - 1 === which % count ? { is: "value", value } : node;
  }) as Fields;
}

/**
 * Sub-entities get their ids in the order in which `partsOf` counts them, and own keys name one that is there, in the one
 * field that takes temporary ones.
 */
function numbered(sketch: Fields): Fields {
  const count = partsOf(sketch).length;
  let next = 0;
  const visit = (value: Sketch): Sketch => {
    switch (value.is) {
      case "list":
        return { is: "list", items: value.items.filter(({ is }) => is !== "own").map(visit) };
      case "object":
        return object(value);
      case "map": {
        const parts: Part[] = [];
        for (const { body } of value.parts) {
          const id = next;
          next += 1;
          parts.push({ id, body: object(body) });
        }
        return { is: "map", parts };
      }
      case "own":
        return count === 0 ? { is: "value", value: "no sub-entity" } : { is: "own", of: value.of % count };
      default:
        return value;
    }
  };
  const object = (value: Fields): Fields => {
    const isKey = ([, field]: Fields["fields"][number]): boolean => field.is === "own" && count > 0;
    const keys = value.fields.filter(isKey).slice(0, 1);
    const others = value.fields.filter((field) => !isKey(field));
    const fields = [...others, ...keys.map(([, field]) => ["joinConfigurationKey", field] as const)];
    return { is: "object", fields: fields.map(([name, field]) => [name, visit(field)]) };
  };
  return object(sketch);
}

/** A sub-entity of the service has content: without any it would be nothing but its key. */
function filled(body: Fields): Fields {
  return {
    is: "object",
    fields: [["kind", { is: "value", value: "part" }], ...body.fields.filter(([name]) => name !== "kind")],
  };
}

/** The private-use characters are ours (model/translate.ts). */
function withoutMarks(text: string): string {
  return text.replaceAll(/[\uE000\uE001]/g, "");
}

/** `-0` is no part of JSON. */
function asJson(value: number): number {
  return Object.is(value, -0) ? 0 : value;
}
