import { hash } from "node:crypto";
import { join } from "node:path";
import { plainAddress } from "../../model/address.ts";
import type { Party } from "../../model/mapping.ts";
import { partyKey } from "./party.ts";

/**
 * The lock of a target, whatever source and plan a run has: `<mappings folder>/.locks/<host>-<16 digits>`. The digits
 * are of the address and the tenant; the host is for a person who looks into the folder. A plan's name for the target
 * is no part of it: two plans may call one target by two names. No pair's folder begins with a dot.
 *
 * It is taken before the lock of the pair, which guards the pair's files, and is released after it.
 */
export function targetLockPath(mappingsDir: string, target: Party): string {
  const host = plainAddress(target.baseUrl)?.host ?? "target";
  const readable = host.replaceAll(/[^A-Za-z0-9.-]+/g, "-").slice(0, 80);
  return join(mappingsDir, ".locks", `${readable}-${hash("sha256", partyKey(target)).slice(0, 16)}`);
}
