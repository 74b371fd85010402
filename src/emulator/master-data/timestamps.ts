import { badRequest } from "./problems.ts";

/**
 * Document 3, "Modify", rule 3: yyyy-MM-ddTHH:mm:ss with optional .SSS and optional Z or an offset. Z, and no zone at
 * all, mean the local time of the server; `zoneMinutes` is how far that is ahead of UTC. Milliseconds.
 */
export function sourceTime(text: unknown, zoneMinutes: number): number {
  const found =
    typeof text === "string"
      ? /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?)(Z|[+-]\d\d:\d\d)?$/.exec(text)
      : undefined;
  const [, local = "", zone = "Z"] = found ?? [];
  const time = Date.parse(zone === "Z" ? `${local}Z` : `${local}${zone}`);
  if (Number.isNaN(time)) throw badRequest(`source_timestamp ${String(text)} is no ISO 8601 timestamp.`);
  return zone === "Z" ? time - zoneMinutes * 60_000 : time;
}
