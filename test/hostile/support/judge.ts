import { expect } from "vitest";
import type { Ran, Stage } from "../../cli/support/stage.ts";

/** What a person is to get. */
export interface Expected {
  readonly code: number;
  /** In what is printed, on either output. */
  readonly says: string | RegExp;
  /** Something is written at the target, because the fault is met on the way or does no harm. */
  readonly writes?: boolean;
}

const rejections: unknown[] = [];
process.on("unhandledRejection", (reason) => rejections.push(reason));

/** Marks that a terminal acts upon, or that hide what stands there; line feeds are our own. */
// oxlint-disable-next-line no-control-regex -- finding them is the purpose
const marks = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
const trace = /^\s+at .+[:(]\d+|node:internal|\.ts:\d+/m;
/** Words of the libraries and of the platform that say nothing to a person. */
const jargon =
  /something unexpected happened|ZodError|invalid_type|Invalid input|YAMLParseError|TypeError|SyntaxError|undefined|NaN|\[object Object\]|Unexpected token/;

/** What holds of every row, whatever it tries. */
export async function judge(stage: Stage, ran: Ran, expected: Expected): Promise<void> {
  const { code, stdout, stderr } = ran;
  const shown = `${stdout}\n${stderr}`;
  // As the table writes it: on one line, without where this row happens to run.
  const read = shown
    .replaceAll(`${stage.folder}/`, "")
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "http://here")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/(?<=not reachable at )127\.0\.0\.1:\d+/g, "here");
  expect.soft(shown).not.toMatch(trace);
  // A page of HTML holds a programme, with words and tabs of its own; what it may hold of ours is tested with it.
  const plain = stdout.startsWith("<!doctype html>") ? stderr : shown;
  expect.soft(plain).not.toMatch(jargon);
  expect.soft(plain).not.toMatch(marks);
  expect.soft(stage.leaks()).toEqual([]);
  expect.soft(stage.writes("dev")).toEqual([]);
  expect.soft(stage.writes("prod").length > 0).toBe(expected.writes ?? false);
  if (typeof expected.says === "string") expect.soft(read).toContain(expected.says);
  else expect.soft(read).toMatch(expected.says);
  expect.soft(code).toBe(expected.code);
  await new Promise((done) => setImmediate(done));
  expect.soft(rejections.splice(0)).toEqual([]);
}
