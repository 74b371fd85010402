import type { Action } from "../../../src/model/change.ts";

/** Of the object at the source since the last apply; `new`: nothing was ever applied for it. */
export const sourceStates = ["same", "changed", "gone", "new"] as const;
export type SourceState = (typeof sourceStates)[number];

/**
 * At the target. same, changed, gone: its twin. The others: objects of the same natural key that nothing is mapped
 * to, beside the twin where there is one.
 */
export const targetStates = ["same", "changed", "gone", "twin", "other-twin", "two-twins"] as const;
export type TargetState = (typeof targetStates)[number];

export type Cell = Expected | Impossible;

export interface Expected {
  /** nothing: the object is not part of the diff. */
  readonly action: Action | "nothing";
  readonly reason: string;
  readonly writes: "none" | "create" | "update" | "remove";
}

export interface Impossible {
  readonly impossible: string;
}

type Table = Readonly<Record<SourceState, Readonly<Record<TargetState, Cell>>>>;

const unchanged: Cell = { action: "unchanged", reason: "both sides are as they should be", writes: "none" };
const update: Cell = { action: "update", reason: "it changed at the source", writes: "update" };
const remove: Cell = { action: "delete", reason: "it is gone at the source", writes: "remove" };
const missing: Cell = { action: "manual", reason: "its twin was removed at the target", writes: "none" };
const drift: Cell = {
  action: "drift",
  reason: "it was changed at the target since the last apply",
  writes: "none",
};
const conflict: Cell = {
  action: "conflict",
  reason: "it changed on both sides since the last apply",
  writes: "none",
};
const nothing: Cell = { action: "nothing", reason: "", writes: "none" };
const noTwinYet: Cell = { impossible: "nothing was applied yet, so nothing at the target is its twin" };

/** Terms, folders, rules and monitors. The mapping decides: what else has the same name does not matter to what is mapped. */
const entities: Table = {
  same: {
    same: unchanged,
    changed: drift,
    gone: missing,
    twin: unchanged,
    "other-twin": unchanged,
    "two-twins": unchanged,
  },
  changed: {
    same: update,
    changed: conflict,
    gone: missing,
    twin: update,
    "other-twin": update,
    "two-twins": update,
  },
  gone: {
    same: remove,
    changed: {
      action: "manual",
      reason: "gone at the source, and it was changed at the target",
      writes: "none",
    },
    gone: nothing,
    twin: remove,
    "other-twin": remove,
    "two-twins": remove,
  },
  new: {
    same: noTwinYet,
    changed: noTwinYet,
    gone: { action: "create", reason: "nothing at the target stands for it", writes: "create" },
    twin: { action: "adopt", reason: "the same natural key and the same content", writes: "none" },
    "other-twin": {
      action: "blocked",
      reason: "the target has one of the same name with other content",
      writes: "none",
    },
    "two-twins": { action: "blocked", reason: "candidates:", writes: "none" },
  },
};

const noUpdate: Cell = {
  action: "manual",
  reason: "the service offers no way to change one",
  writes: "none",
};
const noDelete: Cell = {
  action: "manual",
  reason: "gone at the source, and the service offers no way to delete one",
  writes: "none",
};

/** Neither an update nor a delete of a dashboard is known (page 04). */
const dashboards: Table = {
  ...entities,
  changed: {
    ...entities.changed,
    same: noUpdate,
    twin: noUpdate,
    "other-twin": noUpdate,
    "two-twins": noUpdate,
  },
  gone: { ...entities.gone, same: noDelete, twin: noDelete, "other-twin": noDelete, "two-twins": noDelete },
};

const onlyOne: Cell = { impossible: "an item has exactly one primary monitor" };
const alone = { twin: onlyOne, "other-twin": onlyOne, "two-twins": onlyOne };
const noItem: Cell = {
  action: "blocked",
  reason: "what it lies over has no twin at the target",
  writes: "none",
};

/** A primary monitor is gone when its item is; it is never created and never deleted. */
const primaries: Table = {
  same: { same: unchanged, changed: drift, gone: noItem, ...alone },
  changed: { same: update, changed: conflict, gone: noItem, ...alone },
  gone: { same: nothing, changed: nothing, gone: nothing, ...alone },
  new: {
    same: unchanged,
    // Of what people configured there the source says nothing: that stays theirs.
    changed: unchanged,
    gone: noItem,
    ...alone,
  },
};

const onlyOneWord: Cell = { impossible: "a thing has one description, and one steward" };
const single = { twin: onlyOneWord, "other-twin": onlyOneWord, "two-twins": onlyOneWord };

/** What people wrote over something: at first contact another word on either side is nobody's to overwrite. */
const words: Table = {
  same: { ...primaries.same, ...single },
  changed: { ...primaries.changed, ...single },
  gone: { ...primaries.gone, ...single },
  new: {
    ...primaries.new,
    ...single,
    changed: {
      action: "conflict",
      reason: "both sides say something of it, and were never brought together",
      writes: "none",
    },
  },
};

const lacks: Cell = {
  action: "update",
  reason: "the target lacks some of its relations",
  writes: "update",
};
const firstTime: Cell = {
  action: "update",
  reason: "first contact: the source says how it should be",
  writes: "update",
};
const onlyOneList: Cell = { impossible: "an attribute has one list of terms" };
const listed = { twin: onlyOneList, "other-twin": onlyOneList, "two-twins": onlyOneList };

/** Relations are added where they are not, whoever took them away; what the target has more is its own. */
const links: Table = {
  same: { same: unchanged, changed: lacks, gone: lacks, ...listed },
  changed: { same: update, changed: lacks, gone: lacks, ...listed },
  gone: { same: nothing, changed: nothing, gone: nothing, ...listed },
  new: { same: unchanged, changed: firstTime, gone: firstTime, ...listed },
};

const tables: Readonly<Record<string, Table>> = {
  dashboards,
  "primary-monitors": primaries,
  "term-assignments": links,
  "term-denylist": links,
  "item-metadata": words,
  "attribute-metadata": words,
  stewardship: words,
};

export function cellOf(kind: string, source: SourceState, target: TargetState): Cell {
  return (tables[kind] ?? entities)[source][target];
}
