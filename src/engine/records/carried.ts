import type { RowIntent, RowOutcome } from "../../model/journal.ts";
import type { OpenRow } from "./open-rows.ts";
import { plannedFrom } from "./open-rows.ts";
import type { SentRow } from "./releases.ts";
import type { RowPolicy } from "./unasked.ts";
import { isUnasked } from "./unasked.ts";
import type { Lost } from "./write-options.ts";

/** What an earlier run has left, as this one takes it over. */
export function intentOf({ intent }: OpenRow): RowIntent {
  return intent;
}

export function sentFrom(row: OpenRow, op: string): SentRow {
  const { intent, target, asBefore } = row;
  return { planned: plannedFrom(row), address: target ?? intent.target ?? "", op, isLeft: true, asBefore };
}

/** Of which nobody knows whether it was written: `policy` is that of now. */
export function lostFrom(row: OpenRow, op: string, policy: RowPolicy): Lost {
  const { intent, at = performance.now(), looked } = row;
  return {
    planned: plannedFrom(row),
    op,
    at,
    isLeft: true,
    ...(looked === undefined ? {} : { looked }),
    ...(isUnasked(intent, policy) ? { isUnasked: true } : {}),
  };
}

export function carriedOutcome({
  intent,
  state,
  target,
  reason = "",
  looked,
  asks,
  short,
  asBefore,
}: OpenRow): readonly RowOutcome[] {
  if (state === "doubt")
    return [
      {
        key: intent.key,
        result: "doubt",
        reason,
        ...(looked === undefined ? {} : { looked }),
        ...(asks === undefined ? {} : { asks }),
      },
    ];
  const address = target ?? intent.target;
  if (address === undefined) return [];
  return [
    {
      key: intent.key,
      result: "sent",
      target: address,
      ...(short === undefined ? {} : { short }),
      ...(asBefore === undefined ? {} : { asBefore }),
    },
  ];
}

export function doneOutcome({ intent, target }: OpenRow): RowOutcome {
  const address = target ?? intent.target;
  return { key: intent.key, result: "done", ...(address === undefined ? {} : { target: address }) };
}
