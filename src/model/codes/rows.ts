import type { Explanation } from "./explanation.ts";

/** About the rows of tables. */
export const rowCodes = {
  "table-unusable": {
    means: "A table that the plan names cannot be moved; nothing of it was read.",
    why: "It is missing on one side, has the same name as another one, or lacks an attribute of the key.",
    act: "Do what is said with it: make the table, or correct its name or key under `records` in the plan.",
  },
  "bad-rows": {
    means: "More rows of a table cannot be sent than limits.badRows allows: an apply writes nothing at all.",
    why: "Each of them has no key, shares its key with another row, or holds what the target has no place for.",
    act: "Mend them at the source, or raise limits.badRows. All of them stand in plans/PLAN/records, a file for each table.",
  },
  "row-blocked": {
    means: "A row cannot be sent; the others of its table are.",
    why: "It has no key, shares its key with another row, or holds what the target has no place for.",
    act: "Mend it at the source. All such rows stand in plans/PLAN/records, a file for each table.",
  },
  "row-by-hand": {
    means: "Something of a row can be brought to the target by a person alone.",
    why: "Overrides of masters can be read and not set, and a master has its relations from the request that makes it.",
    act: "Do it in the web application of the target; the next run sees it.",
  },
  "row-finished": {
    means:
      "Rows that an earlier run had begun, and that waited for a review or for this run, are done by now.",
    why: "Somebody has approved the review, or the run that sent them was stopped before they were published.",
    act: "Nothing.",
  },
  "row-first-contact": {
    means:
      "Rows with a key of the source are at the target already, and no run of ferry has brought the two together yet.",
    why: "Nothing is known of rows before their first run, or the files that know of them are not here.",
    act: "Look at those that are overwritten, in the table's file, before you apply. Rows that only the target has stay.",
  },
  "row-contested": {
    means:
      "Rows of a table were changed or removed at the target since the last apply (drift), some of them at the source as well (conflict): they are left.",
    why: "policy.drift, policy.conflict or policy.missingTarget is report. Rows are known by prints of what was last applied: they are neither merged (conflict: merge) nor decided one by one (`ferry decide`).",
    act: "Say the same at the source, or put them back at the target; or set policy.drift to overwrite, policy.conflict to source-wins, policy.missingTarget to recreate. Where they may stay so: ferry ack PLAN OBJECT.",
  },
  "row-takes": {
    means:
      "A relation that the source has leads a record at the target away from the one that somebody there has related it to.",
    why: "A record may have one parent only, and no run of ferry has related it to the one that it has there.",
    act: "Look at both before you apply. Where the target is right, relate the record so at the source, or leave the relation out of the plan.",
  },
  "row-identified": {
    means: "Which master a new instance would join at the target, or that it would be one of its own.",
    why: "ferry diff --identify asks the target's identify service, which matches as it does when the instance arrives.",
    act: "Nothing, unless an instance would join the wrong one: then mend it, or the rules, before you apply.",
  },
  "row-history": {
    means: "Since when a row at the target is otherwise than it was moved, and what it was before.",
    why: "The server keeps history, and the row has drifted or is in conflict.",
    act: "Ask whoever changed it, then let the plan's policy decide, or bring the change to the source.",
  },
  "row-refused": {
    means: "The service refused a row, and took the others.",
    why: "A value is of a type that the table does not take, or somebody else is changing the row.",
    act: "Mend what the service complains of, and run again.",
  },
  "row-in-doubt": {
    means:
      "What became of a row that was sent cannot be found out, or what was sent stands in a draft with somebody else's word.",
    why: "The answer was lost, and the drafts of the table do not tell; or somebody has been there before it was published.",
    act: "See to what stands in its draft in the web application (discard a deletion, unless the row is to go; publish or discard anything else), then forget it: ferry resolve PLAN --abandon KIND:TABLE.",
  },
  "row-left-behind": {
    means:
      "A run has left rows of a table open, or in a review, that the plan does not name, or not select, any more.",
    why: "The plan was changed after the run was interrupted or had asked for the review, or another plan with the same environments has begun them.",
    act: "Put the table back, or select it, and run again; or see to the rows in the web application and forget them.",
  },
  "row-review": {
    means: "Rows wait for somebody to approve a review.",
    why: "The plan publishes this table through a review.",
    act: "Have the review approved in the web application, then run again: that publishes them.",
  },
  "row-late": {
    means: "Rows were published and do not show yet.",
    why: "Publishing takes its time, and took more than limits.publishWait.",
    act: "Run again: nothing is sent twice.",
  },
  "row-otherwise": {
    means: "The target shows a row otherwise than it was sent.",
    why: "The service writes some values in a form of its own (trimmed, shortened, in other letters, rounded). What is no form of what was sent counts as somebody's word, and is drift in the next run.",
    act: "Compare the two; what the target shows is taken as what was meant, until either side changes.",
  },
  "row-emptied": {
    means: "Values of a row that a change did not name are empty since it was written.",
    why: "No document says what the server does to a value that a change leaves out; or somebody emptied it in that very moment.",
    act: "Put the values back in the web application of the target. Where it was the server, leave the entity out of the plan.",
  },
  "row-note": {
    means: "Something to know about the rows of a table before they are moved.",
    why: "What the plan asks for costs requests, hides rows, or meets a server that cannot tell.",
    act: "Nothing, unless it is not what you want.",
  },
  "row-none": {
    means: "The plan names an origin or a relation that no record of the source has.",
    why: "The word is misspelt, the source has none, or its server shows relations in a form that is not known.",
    act: "Correct the plan as the message says, or take the word out of it.",
  },
  "row-relation-elsewhere": {
    means: "Relations lead to records that the plan does not move.",
    why: "A relation is written when both ends are at the target, and nobody brings the other end there.",
    act: "Name the other entity under records.masterData, or take the relation out of the plan.",
  },
  "row-relation-later": {
    means: "Relations of masters lead to an entity that the plan names later.",
    why: "A relation between masters is made by the request that makes one of them, and the other one has to be there.",
    act: "Name the other entity first under records.masterData.",
  },
  "row-gone": {
    means: "The source does not show rows any more that were moved once.",
    why: "Somebody removed them there, or the plan's filter leaves them out; rows are taken away at the target only where the plan says so.",
    act: "Set records.remove: true and run with --allow-delete, if they are to go.",
  },
  "row-known-otherwise": {
    means:
      "Rows were moved that the plan, as it is by now, tells apart by other words, or brings to another table.",
    why: "Somebody has changed key, origins or targetTable in it since; or another plan moves them. The target keeps these rows, and the same is made beside them.",
    act: "Put the plan back, if that was not meant; otherwise see to the former rows at the target after the next apply.",
  },
  "row-without-old-values": {
    means: "What some rows were before could not be kept.",
    why: "A run keeps the old values of rows up to a gigabyte for each table.",
    act: "A rollback cannot take these rows back; restore them at the source instead.",
  },
} as const satisfies Readonly<Record<string, Explanation>>;
