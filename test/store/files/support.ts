import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import type { EntryRecord, IntentRecord, JournalRecord } from "../../../src/model/journal.ts";
import type { MappingEntry } from "../../../src/model/mapping.ts";
import type { StoreErrorCode } from "../../../src/store/index.ts";
import { StoreError } from "../../../src/store/index.ts";
import { Bytes } from "../../../src/store/files/bytes.ts";
import { LineEncoder } from "../../../src/store/files/journal-line.ts";

import { parties, tool } from "./parties.ts";

export { parties, tool };

/** A folder of its own for a test; removed when the file's tests are over. */
export function makeTemporaryFolders(): () => string {
  const made: string[] = [];
  afterAll(() => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    const folder = mkdtempSync(join(tmpdir(), "ferry-store-"));
    made.push(folder);
    return folder;
  };
}

export function urn(number: number, type = "term", tenant = "acme"): string {
  return `urn:ata:${tenant}:catalog:${type}:00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

export function mappingEntry(number: number, more: Partial<MappingEntry> = {}): MappingEntry {
  return { name: `Term ${number}`, target: urn(number, "term", "acme-prod"), origin: "created", ...more };
}

export function entryRecord(number: number): EntryRecord {
  return { type: "entry", run: "r1", kind: "terms", source: urn(number), entry: mappingEntry(number) };
}

export function intentRecord(number: number): IntentRecord {
  return {
    type: "intent",
    run: "r1",
    op: `op-${number}`,
    at: "2026-11-21T08:00:00.000Z",
    kind: "terms",
    step: "create",
    items: [
      {
        source: urn(number),
        name: `Term ${number}`,
        body: { name: `Term ${number}`, note: 'ä "quoted" {x} \n' },
      },
    ],
  };
}

/** A line that opens a group, as a journal writes it behind what is there; behind nothing it is the first line. */
export function journalLine(json: string, behind = ""): string {
  const last = behind.trimEnd().split("\n").at(-1) ?? "";
  const encoder = new LineEncoder(last === "" ? 0 : Number.parseInt(last.slice(0, 8), 16));
  const line = new Bytes();
  encoder.add(line, json, true);
  return line.view().toString("utf8");
}

/** What version 1 of the journal would hold: every line for itself, each one opening a group. */
export function journalOfVersion1(records: readonly JournalRecord[]): string {
  const header = { type: "header", format: 1, tool, parties };
  return [header, ...records].map((record) => journalLine(JSON.stringify(record))).join("");
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** The StoreError that an action ends with; it must have the code, a path, a message and a suggestion. */
export async function storeError(code: StoreErrorCode, action: () => unknown): Promise<StoreError> {
  const error: unknown = await Promise.resolve()
    .then(action)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  if (!(error instanceof StoreError))
    throw new Error(`expected a StoreError, got ${String(error)}`, { cause: error });
  expect(error.code, error.message).toBe(code);
  if (code !== "bad-name") expect(error.message).toContain(error.path);
  expect(error.suggestion).toMatch(/^[A-Z`].*\.$/s);
  return error;
}

/** What a crash at an instant looks like from inside: nothing after it happens. */
export class Crash extends Error {}

export function crashAt(wanted: string): { reached(point: string): void; readonly count: () => number } {
  let crashes = 0;
  return {
    reached(point) {
      if (point !== wanted) return;
      crashes += 1;
      throw new Crash(`crashed at ${point}`);
    },
    count: () => crashes,
  };
}

export function leftovers(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.endsWith(".tmp"));
}
