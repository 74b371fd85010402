import { formerOf, keysOf, knownOf } from "../engine/apply/entry-after.ts";
import type { Recorder } from "../engine/apply/recorder.ts";
import type { Doubt } from "../engine/settle/subtraction.ts";
import { fingerprint } from "../model/canonical.ts";
import { isObject, text } from "../model/json.ts";
import type { MappingEntry } from "../model/mapping.ts";
import { pairKeys } from "../model/pair-keys.ts";
import { strip } from "../model/shape.ts";
import type { Migration } from "./migration.ts";
import type { OpenQuestion } from "./resolve-questions.ts";
import { createSteps } from "../engine/facets/steps.ts";

/** It happened, and this is the object: its row in the mapping, as the answer would have made it. */
export async function recordTake(
  migration: Migration,
  recorder: Recorder,
  doubt: Doubt,
  candidate: OpenQuestion["candidates"][number],
  before: MappingEntry | undefined,
): Promise<void> {
  const kind = (await migration.kinds("target")).movedKind(doubt.kind);
  if (kind === undefined) return;
  const { source, name } = doubt.item;
  const sent = isObject(doubt.item.body) ? doubt.item.body : {};
  const body = strip(candidate.body, kind.shape);
  const keys = pairKeys(sent, body, kind.shape);
  const next = createSteps(kind)[1]?.name;
  const draft = text(candidate.body, "draftType");
  await recorder.outcome(kind.name, doubt.op, [
    {
      source,
      result: "done",
      target: candidate.urn,
      entry: {
        name,
        target: candidate.urn,
        origin: "created",
        // Other content than was sent was never brought to what the source says: the next diff says what differs. What a rollback
        // makes again is known as it was, with what is the target's own in it.
        ...(candidate.same ? knownOf(doubt.item) : {}),
        targetFingerprint: fingerprint(body, kind.shape),
        ...keysOf(undefined, keys),
        ...formerOf(before, candidate.urn, doubt.item),
        ...(next === undefined || draft === "NONE" ? {} : { unfinished: next }),
        run: recorder.run,
      },
    },
  ]);
}
