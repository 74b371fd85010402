import { exitCodes } from "../model/result.ts";
import type { Output } from "./io.ts";

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EIO: "the device does not take it",
};

/**
 * stdout did not take the result: who waits for it must not take silence for success. A code that is about something
 * else than success says more than "failed" and stays.
 */
export function lostResult(stderr: Output, code: number, trouble: string): number {
  const reason = reasons[trouble];
  const why = reason === undefined ? trouble : `${reason} (${trouble})`;
  const before = `The run itself ended with ${code}`;
  stderr.write(
    `error: stdout did not take the whole result: ${why}. ${before}; what it did is done, and \`ferry status PLAN\` tells of it.\n`,
  );
  return code === exitCodes.done || code === exitCodes.changes ? exitCodes.failed : code;
}
