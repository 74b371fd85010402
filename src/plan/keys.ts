import { z } from "zod";

/** The keys that each map of a schema may have, by its path; what is within a list stands under the list's own key. */
export function keysOf(schema: z.ZodType): Readonly<Record<string, readonly string[]>> {
  const keys: Record<string, readonly string[]> = {};
  const walk = (wrapped: unknown, path: string): void => {
    const inner = bare(wrapped);
    if (inner instanceof z.ZodArray) walk(inner.element, path);
    // An entry that has several forms: the keys of all of them.
    if (inner instanceof z.ZodUnion) for (const form of inner.options) walk(form, path);
    if (!(inner instanceof z.ZodObject)) return;
    const shape: Readonly<Record<string, unknown>> = inner.shape;
    keys[path] = [...new Set([...(keys[path] ?? []), ...Object.keys(shape)])];
    for (const [key, value] of Object.entries(shape)) walk(value, path === "" ? key : `${path}.${key}`);
  };
  walk(schema, "");
  return keys;
}

/** Without what says that it may be left out, and what it is then. */
function bare(schema: unknown): unknown {
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  return isWrapped ? bare(schema.unwrap()) : schema;
}
