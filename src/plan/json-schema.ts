import { z } from "zod";
import { planForm } from "./schema.ts";
import type { PlanSection } from "./section.ts";

type Node = Record<string, unknown>;

/** As `interpolate` finds it; `$${NAME}` is a text like any other. */
const variable = {
  description: "An environment variable: ${NAME}.",
  type: "string",
  pattern: String.raw`(^|[^$])\$\{[A-Za-z_][A-Za-z0-9_]*\}`,
};

/** Where a plan says kinds: what may stand there is the registry's to say, and no editor could ask it. */
const kindPlaces = /^select\.(?:kinds|(?:include|exclude)\.kinds?)$|^acknowledged\.kind$/;

const selectorLists = /^select\.(?:include|exclude)$/;
const shortSelector = {
  type: "string",
  minLength: 1,
  description: "A pattern for names, one with its kind (rules:Email*), or a URN at the source.",
};

/**
 * The plan as a JSON Schema (draft 7, which editors know best), made of the schema that checks plans: with the words
 * that stand there, and with environment variables wherever a text may stand. What only the parser can say (two
 * environments that are one, a pattern that is none) it leaves to the parser, so it never refuses what that takes.
 */
export function planJsonSchema(sections: readonly PlanSection[], selectable: readonly string[]): object {
  const { schema } = planForm(sections);
  const made = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      // A format would have to be known to the editor, and patterns say the same.
      delete jsonSchema.format;
      if (zodSchema instanceof z.ZodURL) jsonSchema.pattern = "^https?://[^/]";
    },
  });
  const { $schema, definitions, ...root } = walk(made, "", selectable);
  return {
    $schema,
    title: "A plan of ferry",
    description:
      "What to move, from where to where, and how. `ferry doctor PLAN` checks it against both sides.",
    ...root,
    definitions: { variable, ...(definitions as Node | undefined) },
  };
}

/** The parts of a schema that hold others. */
const lists = new Set(["anyOf", "oneOf", "allOf"]);
const maps = new Set(["properties", "definitions"]);
const ones = new Set(["items", "additionalProperties"]);

function walk(node: Node, path: string, selectable: readonly string[]): Node {
  if (node["type"] === "string" || Array.isArray(node["enum"])) return text(node, path, selectable);
  const inner = (value: unknown, at = path): unknown =>
    typeof value === "object" && value !== null ? walk(value as Node, at, selectable) : value;
  const below = (key: string): string => (path === "" ? key : `${path}.${key}`);
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      // Which of several forms an entry has a variable may say: then more than one of them fits.
      if (lists.has(key))
        return [key === "oneOf" ? "anyOf" : key, (value as unknown[]).map((one) => inner(one))];
      if (key === "items" && selectorLists.test(path)) return [key, { anyOf: [shortSelector, inner(value)] }];
      if (ones.has(key)) return [key, inner(value)];
      if (!maps.has(key)) return [key, value];
      return [
        key,
        Object.fromEntries(
          Object.entries(value as Node).map(([name, one]) => [name, inner(one, below(name))]),
        ),
      ];
    }),
  );
}

/** A text that must have a form may be a variable in its place, whose value nobody knows here. */
function text(node: Node, path: string, selectable: readonly string[]): Node {
  const { description, default: usual, ...form } = node;
  const shape = kindPlaces.test(path) ? { ...form, enum: [...selectable] } : form;
  const isFree = Object.keys(shape).every(
    (key) => key === "type" || (key === "minLength" && shape[key] === 1),
  );
  return {
    ...(description === undefined ? {} : { description }),
    ...(usual === undefined ? {} : { default: usual }),
    ...(isFree ? shape : { anyOf: [shape, { $ref: "#/definitions/variable" }] }),
  };
}
