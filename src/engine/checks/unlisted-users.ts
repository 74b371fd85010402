import type { Found } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { JsonObject } from "../../model/json.ts";
import type { ReadClient } from "../../service/index.ts";
import { isGiven } from "../facets/standing.ts";
import type { Report } from "../progress.ts";
import type { Fetched } from "../read/unlisted.ts";
import { readOneByOne, thingOver } from "../read/unlisted.ts";

/** A request for each: beyond so many a person looks who refers to what is to be deleted. */
const mostRead = 5_000;

/**
 * Where no list shows overlays such as primary monitors, a run has read those alone that it is about, and any other may
 * refer to what is to be deleted. So all of them are read, one by one. Answers why that is not done.
 */
export async function lookAtUnlisted(options: {
  readonly kind: Fetched;
  readonly registry: Registry;
  readonly client: ReadClient;
  readonly report: Report;
  /** Whether it was looked at. */
  readonly isSeen: (urn: string) => boolean;
  readonly look: (urn: string, name: string, body: JsonObject) => void;
}): Promise<string | undefined> {
  const { kind, registry, client, report, isSeen, look } = options;
  const over = registry.get(thingOver(kind));
  if (!isGiven(over) || over.all === undefined) return undefined;
  const wanted: { readonly kind: Fetched; readonly record: Found }[] = [];
  for await (const page of over.all(client)) {
    for (const record of page) {
      const urn = kind.locate(record);
      if (urn !== undefined && !isSeen(urn)) wanted.push({ kind, record });
    }
    if (wanted.length > mostRead)
      return `no list shows ${kind.name}, and there are more than ${mostRead} that would have to be read one by one`;
  }
  await readOneByOne({
    client,
    side: "target",
    wanted,
    report,
    take: async ({ record }, body) => look(kind.locate(record) ?? "", kind.called(record), body),
  });
  return undefined;
}
