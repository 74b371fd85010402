import type { Emulator } from "../../../src/emulator/index.ts";
import type { BareRequest } from "../command/bare.ts";
import { isToken, listOf } from "./calls-of.ts";

/** What was sent, to be sent once more by a client that thinks nothing of it; pages of a list one after the other. */
export function bareRequests(emulator: Emulator): readonly BareRequest[] {
  const lastOfList = new Map<string, number>();
  const entries = emulator.log.entries.filter((entry) => !isToken(entry.route));
  const isWrite = ({ method, path }: (typeof entries)[number]): boolean =>
    method !== "GET" && !/\/(filter|search|identify)$/.test(path);
  const firstWrite = entries.findIndex(isWrite);
  return entries.map((entry, index) => {
    const { tenant, method, path, query, body } = entry;
    const search = new URLSearchParams(query).toString();
    const list = listOf(entry);
    const previous = query["after"] === undefined ? undefined : lastOfList.get(list);
    lastOfList.set(list, index);
    return {
      tenant,
      method,
      url: `${emulator.baseUrl(tenant)}${path}${search === "" ? "" : `?${search}`}`,
      ...(body === undefined || body === null ? {} : { body: JSON.stringify(body) }),
      ...(previous === undefined ? {} : { after: previous }),
      ...(firstWrite >= 0 && index >= firstWrite ? { writing: true as const } : {}),
    };
  });
}
