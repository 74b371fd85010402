import type { z } from "zod";
import { wrongValue } from "../../model/wrong-value.ts";
import type { Disk } from "./disk.ts";
import { ioError } from "./io-error.ts";
import type { JsonPath } from "./json-scan.ts";
import { findPath, findRepeatedKey, findSyntaxError } from "./json-scan.ts";
import type { StoreErrorCode } from "../store-error.ts";
import { isMissing, StoreError } from "../store-error.ts";

/** The text of a JSON file with what is needed to say where in it something is wrong. */
export interface JsonText {
  readonly path: string;
  readonly text: string;
}

export async function readJsonText(disk: Disk, path: string): Promise<JsonText> {
  try {
    return withoutMark(path, await disk.readFile(path));
  } catch (error) {
    throw ioError(error, path, "read");
  }
}

/** The same; undefined where there is no such file. */
export async function readJsonTextIfThere(disk: Disk, path: string): Promise<JsonText | undefined> {
  try {
    return withoutMark(path, await disk.readFile(path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw ioError(error, path, "read");
  }
}

/** Some editors add the mark. */
function withoutMark(path: string, text: string): JsonText {
  return { path, text: text.startsWith("\uFEFF") ? text.slice(1) : text };
}

const conflictMarker = /^(?:<{7} |={7}$|>{7} |\|{7} )/m;

/**
 * Refuses what is not JSON, and says so where git left an unsettled merge. Where bodies are read (`parse`), their
 * numbers stay as they were written.
 */
export function parseJsonText(
  { path, text }: JsonText,
  parse: (text: string) => unknown = JSON.parse,
): unknown {
  try {
    return parse(text);
  } catch (error) {
    const marker = conflictMarker.exec(text);
    if (marker !== null) {
      throw new StoreError(
        "merge-conflict",
        path,
        `${path} holds an unsettled merge (git conflict markers) at ${placeOf(text, marker.index)}`,
        "Settle the merge and remove the markers; where both sides added an entry, keep both lines. " +
          "Where an entry has several lines, git shows the middle of both: keep each of the two whole, with its name, its braces and a comma between them.",
      );
    }
    const offset = findSyntaxError(text) ?? text.length;
    const what = offset >= text.length ? "it ends too early" : "it is not JSON there";
    throw new StoreError(
      "bad-json",
      path,
      `${path} is damaged at ${placeOf(text, offset)}: ${what}`,
      "Mend the file, or restore it from version control or a backup.",
      error,
    );
  }
}

/** The value when it has the shape, as it was parsed: zod would reorder fields and lose one named `__proto__`. */
export function checkShape<T>(
  source: JsonText,
  value: unknown,
  schema: z.ZodType<T>,
  code: StoreErrorCode,
): T {
  const checked = schema.safeParse(value, { error: wrongValue });
  if (checked.success) return value as T;
  const issue = checked.error.issues[0];
  const path = (issue?.path ?? []).map((part) => (typeof part === "number" ? part : String(part)));
  throw shapeError(source, path, issue?.message ?? "unexpected content", code);
}

export function shapeError(source: JsonText, at: JsonPath, why: string, code: StoreErrorCode): StoreError {
  const where = at.length === 0 ? "" : ` (${at.join(".")})`;
  return new StoreError(
    code,
    source.path,
    `${source.path} is not as expected at ${placeOf(source.text, findPath(source.text, at))}${where}: ${why}`,
    "Mend the file, or restore it from version control or a backup.",
  );
}

/** A merge may keep both sides of a line; `JSON.parse` would take the last without a word. */
export function refuseRepeatedKeys({ path, text }: JsonText): void {
  const repeated = findRepeatedKey(text);
  if (repeated === undefined) return;
  throw new StoreError(
    "bad-json",
    path,
    `${path} says ${JSON.stringify(repeated.key)} twice, the second time at ${placeOf(text, repeated.offset)}`,
    "Remove the line that is wrong: a merge may have kept both.",
  );
}

/** `line 3, column 14`, from 1 as editors count. */
function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset);
  return `line ${before.split("\n").length}, column ${offset - before.lastIndexOf("\n")}`;
}
