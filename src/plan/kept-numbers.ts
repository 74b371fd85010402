import type { Document, Scalar } from "yaml";
import { isMap, isScalar, visit } from "yaml";
import { canonicalNumber } from "../model/exact-number.ts";

/**
 * What is written as a number below one of these keys, and would not be the same as one (a code with leading zeros, more digits than
 * JavaScript can hold), is the text that it is written as. Another way to write the same number, such as 1.0, stays that number.
 */
export function keepWritten(document: Document, keys: readonly string[]): void {
  if (keys.length === 0) return;
  visit(document, {
    Pair(_, { key, value: map }) {
      if (!isScalar(key) || !keys.includes(String(key.value)) || !isMap(map)) return;
      for (const { value } of map.items)
        if (isScalar(value) && value.source !== undefined && isOther(value)) value.value = value.source;
    },
  });
}

/** A sign or a zero in front, another base: nobody writes a number so. */
const code = /^(?:\+|-?0[\dox])/i;
const number = /^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i;

function isOther({ value, source = "" }: Scalar): boolean {
  if (typeof value !== "number") return false;
  return code.test(source) || (number.test(source) && canonicalNumber({ rawJSON: source }) !== String(value));
}
