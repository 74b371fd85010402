import { Texts } from "../../model/packed/texts.ts";
import { parseUrn, uuidOf } from "../../model/urn.ts";
import { mentionedUrn } from "../../model/walk.ts";
import type { SnapshotReader } from "../../store/index.ts";

/** By what the source is known again at the target. */
export interface SourceMarks {
  readonly sourceTenant: string;
  /** UUIDs of all that the snapshot holds. */
  readonly sourceIds: Pick<ReadonlySet<string>, "has">;
}

export function sourceIds(source: SnapshotReader): SourceMarks["sourceIds"] {
  const ids = new Texts();
  for (const kind of source.kinds())
    for (const urn of source.urns(kind)) {
      const uuid = uuidOf(urn);
      if (uuid !== "") ids.add(uuid);
    }
  return ids;
}

/** Whether an id inside of a text leads to the source: in addresses ids are written in small letters, whatever the service does. */
export function leadsToSource(mention: string, { sourceTenant, sourceIds }: SourceMarks): boolean {
  const urn = mentionedUrn(mention);
  if (urn !== undefined) return parseUrn(urn)?.tenant === sourceTenant;
  return sourceIds.has(mention) || sourceIds.has(mention.toLowerCase());
}
