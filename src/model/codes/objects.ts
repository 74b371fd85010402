import type { Explanation } from "./explanation.ts";

/** About one object of a diff: why it does not simply travel, or what its travelling does. */
export const objectCodes = {
  abandoned: {
    means: "A person decided that no run touches this object.",
    why: "`ferry resolve PLAN --abandon` was given for an operation in doubt.",
    act: "To take it up again: ferry resolve PLAN --retry SOURCE, or ferry mappings PLAN set SOURCE TARGET.",
  },
  "abandoned-gone": {
    means:
      "A person had abandoned its creation, and the source has it no more: it is off the list of what is abandoned.",
    why: "Nothing is left to be sent, or to be kept from being sent.",
    act: "What the request in doubt may have made at the target is left as it is: look for it there.",
  },
  "acknowledged-no-longer": {
    means: "It was acknowledged, and that does not cover it any more.",
    why: "The object, or what is told of it, changed since; or the last day of the acknowledgement is over.",
    act: "Look at it. If it is still known and accepted: ferry ack PLAN OBJECT.",
  },
  ambiguous: {
    means: "Several objects could be the twin, and ferry does not choose.",
    why: "What tells objects of this kind apart (often the name) occurs more than once on one of the sides.",
    act: "Say which one it is: ferry mappings PLAN set SOURCE TARGET. Or rename one of them.",
  },
  begun: {
    means: "The first steps of this change are done at the target, and the rest was not sent.",
    why: "The run was stopped, or could not go on, between them: an object was created and is not published, say.",
    act: "Run the same command again: it sends what is left, and nothing a second time.",
  },
  blocked: {
    means: "It cannot be created or changed as things stand.",
    why: "Something that it needs is not at the target, or failed in this run.",
    act: "Do what is said with it, or with what it waits for; then run again.",
  },
  "blocked-by": {
    means: "It waits for another object that cannot be moved.",
    why: "It refers to that one, and a reference to nothing would be a wrong one.",
    act: "Settle the object that is named; this one follows by itself.",
  },
  "condition-builder": {
    means: "A rule that was made in the condition builder cannot travel.",
    why: "The service gives such a rule out without its logic.",
    act: "Make the rule by hand at the target, then: ferry mappings PLAN set SOURCE TARGET.",
  },
  conflict: {
    means: "Both sides changed since the last apply, or both say something that was never brought together.",
    why: "Taking one of them would lose the other's work.",
    act: "Decide for this one: ferry decide PLAN OBJECT. Or settle it by hand, or set policy.conflict to source-wins in the plan.",
  },
  "connection-of-another-source": {
    means: "The connection of an SQL item belongs to another data source than its folder.",
    why: "The service refuses such an item.",
    act: "Correct pairing.connections or pairing.sources in the plan.",
  },
  drift: {
    means: "Somebody changed the object at the target since the last apply.",
    why: "The target is not what ferry left there, and the source did not change.",
    act: "Decide for this one: ferry decide PLAN OBJECT. Or make the change at the source as well, or set policy.drift to overwrite.",
  },
  "exists-with-other-content": {
    means: "The target has an object of the same name that says something else.",
    why: "policy.adopt is identical: a namesake is taken for the twin only when its content is the same.",
    act: "Accept it: ferry mappings PLAN set SOURCE TARGET, or policy.adopt: by-name for all. Or rename one of them.",
  },
  failed: {
    means: "A change was sent and refused, or its publishing failed.",
    why: "The service says why; its words are with the object.",
    act: "Put right what the service complains about, and run again: only what is missing is sent.",
  },
  "fixed-field": {
    means: "A field differs that the service does not let anybody change.",
    why: "It is settled when the object is created.",
    act: "Delete the target object by hand, drop the pair (ferry mappings PLAN remove SOURCE), and run again; or, that done, pair the source with another one: ferry mappings PLAN set SOURCE TARGET.",
  },
  "folder-not-shown": {
    means: "The folder of an SQL item cannot be read.",
    why: "The service shows the item and not where it stands, by which it is known and made.",
    act: "Run again; if it stays so, give the API client the permission to read the folder.",
  },
  "left-as-it-is": {
    means: "A rollback leaves this object as it is.",
    why: "It was changed since, is used by something that stays, or the service cannot take it back.",
    act: "Look at it at the target, and do by hand what is said with it.",
  },
  "link-terms-first": {
    means: "A term is not assigned before its rules are linked to it.",
    why: "A link that is made after the assignment does not reach it, and no interface makes links.",
    act: "Make the links in the web application of the target, set policy.termLinks to done, and run again.",
  },
  "loose-id": {
    means: "An id in a text or an unknown field travels as it is.",
    why: "It has the form of an id, and nothing at the target is known for it; or it is part of an address, an expression or a sentence, where nothing is rewritten: be it that of an object, of a part of one, or of something given.",
    act: "Move what it refers to first, or edit it by hand; in a sentence say it by its name.",
  },
  "made-below-moved": {
    means: "New objects are made below something that stands elsewhere at the target than at the source.",
    why: "It was moved at the source, and the service moves neither folders nor SQL items nor entities; what is new below it is made in its twin.",
    act: "Settle first where that is to stand (see fixed-field), or leave the new ones out with select.exclude until then.",
  },
  "missing-at-target": {
    means: "The twin was removed at the target.",
    why: "The mapping knows it, and a complete list does not show it any more.",
    act: "Set policy.missingTarget to recreate, or drop the pair: ferry mappings PLAN remove SOURCE.",
  },
  "no-denylist-interface": {
    means: "The service does not know the request by which terms are denied to an attribute.",
    why: "It answered 404 to the whole request: the interface is not in its documents.",
    act: "Deny the terms by hand in the web application of the target. If the service has it by now: ferry doctor PLAN, and run again.",
  },
  "item-not-shown": {
    means: "A new monitor is not made: the source does not show the catalog item that it checks.",
    why: "The item was deleted while the source was read, or its client may not see it. Only the item tells its primary monitor from others, and that one is not to be made a second time.",
    act: "Run the same command again. If it stays so, give the API client of the source the permission to read the item.",
  },
  "no-stewardship-interface": {
    means: "The service does not know the request by which stewards are set.",
    why: "It answered 404 to the whole request: the interface is not in its documents.",
    act: "Set the stewards by hand in the web application of the target. If the service has it by now: ferry doctor PLAN, and run again.",
  },
  "no-own": {
    means: "What this lies over has its twin at the target, and that has none of this kind to be changed.",
    why: "Every item has a primary monitor, and this one shows none: it was made by another way, or may not be seen.",
    act: "Open it in the web application of the target, so that it has one, or see to it that the client of the plan may read it; then run again. Or leave this out with select.exclude.",
  },
  "pair-let-go": {
    means: "The pair of something that lies over another thing was let go of.",
    why: "Where it stands follows from the twin of what it lies over, and that place is another one's by now: a person had paired it otherwise, or the plan pairs the things otherwise.",
    act: "Nothing, where the pairs of the things are right. Otherwise put those right: ferry mappings PLAN set, or pairing in the plan.",
  },
  "no-twin": {
    means: "What this lies over (an item, an attribute, a term) has no twin at the target.",
    why: "It is found by name and place there, after the plan's pairing, and was not.",
    act: "Complete the section pairing of the plan (`ferry doctor PLAN` prints it), or: ferry mappings PLAN set SOURCE TARGET.",
  },
  "no-update": {
    means: "The object differs, and the service offers no way to change one of its kind.",
    why: "No interface for it is documented, or this version of the service does not have it.",
    act: "Change it by hand at the target, or set policy.replace to allow to create a new one beside it. If this version of the service was seen not to have it and has it by now: ferry doctor PLAN.",
  },
  "not-cleared": {
    means: "The source has cleared a property, and the target still has what was brought there.",
    why: "By now the target's metadata model does not let the property be written; it cannot be asked for either.",
    act: "Clear it by hand at the target, where its metadata model lets somebody. Nothing more is told of it: it is the target's own from then on.",
  },
  "not-in-the-model": {
    means: "The target's metadata model has no place for something that the source says.",
    why: "A type or property is missing there, is read-only, or is of another type.",
    act: "Add it to the target's metadata model, or set policy.missingProperty to drop.",
  },
  "not-published": {
    means: "A dashboard is a draft, and nothing of it is published.",
    why: "Only what is published is moved, and a draft at the target is shown to nobody. The list has it all the same.",
    act: "Publish the draft, or discard it, on the side that is named, and run again; or leave it out with select.exclude.",
  },
  "not-started": {
    means: "Nothing was sent for this object.",
    why: "The run ended before its turn.",
    act: "Run the same command again.",
  },
  "old-one-stays": {
    means: "A new object takes the place of one that cannot be changed; the old one stays for now.",
    why: "policy.replace is allow.",
    act: "Give the run that makes the new one --allow-delete, where the service can delete the old one; afterwards remove it by hand.",
  },
  "old-one-left": {
    means: "A new object has taken the place of this one, which is there still.",
    why: "The run that made the new one did not delete this one: it had no --allow-delete, the service cannot, a later step of the new one was refused, somebody has changed this one since, or the run that went on with a killed one does not select it. Or it was gone, and has come back.",
    act: "Look whether it is needed still, and delete it by hand if it is not: it is told until it is gone.",
  },
  "open-draft": {
    means: "Somebody has unpublished changes on the object at the target.",
    why: "To publish ours would publish theirs with it.",
    act: "Have the draft published or discarded at the target, and run again.",
  },
  orphan: {
    means: "The object is gone at the source, and its twin is not ferry's to delete.",
    why: "It was not created or adopted by a run, or the service cannot delete one.",
    act: "Remove it by hand at the target, then: ferry mappings PLAN remove SOURCE.",
  },
  overwrites: {
    means: "A change that somebody made at the target is overwritten.",
    why: "policy.drift or policy.conflict of the plan says so.",
    act: "Nothing, if that is meant; otherwise set the policy back to report.",
  },
  "pair-of-nothing": {
    means: "A pair that a person named leads from nothing to nothing.",
    why: "Neither side shows what it names: a URN of another environment, in other letters, or of what is gone. What was meant by it has no twin.",
    act: "Set the right pair, and take this one away: ferry mappings PLAN remove SOURCE.",
  },
  "parent-property": {
    means: "In which property of its parent an entity stands is not known.",
    why: "The metadata model names none that could hold it, or several.",
    act: "Name it under pairing.parentProperties in the plan.",
  },
  "place-taken": {
    means: "Only one can stand where the object is to stand, and another one does at the target.",
    why: "The metadata model has one child there, and the other one is nobody's to delete, or stays without --allow-delete.",
    act: "Run with --allow-delete where that is said; otherwise pair the two, or delete the other one by hand.",
  },
  "query-names-source": {
    means: "The query of an SQL item reads a table that is called otherwise at the target.",
    why: "pairing.paths of the plan renames it, and nothing under pairing.queries does: a query is text, and travels as it is.",
    act: "Add the rename under pairing.queries. Nothing, if the query is to read just that at the target.",
  },
  "query-not-shown": {
    means: "The query of an SQL item cannot be read at the source.",
    why: "The service shows that there is one and not what it says, or it is empty.",
    act: "Give the API client the permission to read it, or make the item at the target by hand.",
  },
  "property-dropped": {
    means: "Properties are left out that the target's metadata model has no place for.",
    why: "policy.missingProperty is drop.",
    act: "Nothing, if that is meant; otherwise add them to the target's model.",
  },
  "reference-dropped": {
    means: "A reference is left out.",
    why: "The plan says so (policy.missingGroup), and what it refers to has no pair.",
    act: "Nothing, if that is meant; otherwise complete pairing.groups in the plan.",
  },
  "rich-text-id": {
    means: "A link in a formatted text still leads to the source's object.",
    why: "What it links to is not moved yet, or not by this plan.",
    act: "Move what it refers to, and run again; or edit the text.",
  },
  "schedule-starts": {
    means: "The monitor runs at the target as soon as it is there.",
    why: "Its schedule is enabled at the source, and policy.schedules is keep.",
    act: "Nothing, if that is meant; otherwise set policy.schedules to disable.",
  },
  "second-of-its-name": {
    means: "The target has another object of the name that this one gets.",
    why: "It was renamed, or made anew at the source; names are not unique, and who referred to the one does not find the other.",
    act: "Pair the other one instead: ferry mappings PLAN remove SOURCE, then ferry mappings PLAN set SOURCE TARGET. Or rename one of them.",
  },
  "source-draft": {
    means: "The object has changes at the source that are not published; they stay behind.",
    why: "Only what is published is moved.",
    act: "Publish them at the source and run again, or leave them.",
  },
  "source-id-at-target": {
    means: "An id of the source was found in an object at the target.",
    why: "A reference was not rewritten, an id stands in a text, or somebody put it there.",
    act: "Look at the object at the place that is named; if ferry wrote it, report it.",
  },
  "steward-stays": {
    means: "The source has no steward any more, the target still has one.",
    why: "How a steward is taken away is not documented.",
    act: "Take the steward away in the web application of the target.",
  },
  "still-referred": {
    means: "It is not deleted, or no part of it is taken out: something at the target refers to that.",
    why: "That would leave a broken reference, or take the other one along.",
    act: "Take the reference out at the target, or delete both by hand, and run again.",
  },
  "taken-over": {
    means: "At first contact, values of the source take the place of the target's own.",
    why: "Both exist on both sides by nature, and the target's was configured otherwise.",
    act: "Nothing, if that is meant; otherwise bring the source to the target's values, or exclude the object.",
  },
  "terms-contradicted": {
    means: "A term is assigned to a column that the target denies it to, or the other way round.",
    why: "Both are added and never taken away: the source says the one and the target the other.",
    act: "Take one of the two away in the web application of the target, or bring the source to what the target says.",
  },
  "too-deep": {
    means: "The object is nested too deeply to be compared.",
    why: "What comes from a service is not trusted to fit the memory.",
    act: "Make it flatter, or leave it out with select.exclude and move it by hand.",
  },
  "unresolved-reference": {
    means: "It refers to something that has no twin at the target.",
    why: "What it refers to is not selected, not mapped, or not found by the plan's pairing; or it is a new part of its own, named by the bare key in a field where the service translates none.",
    act: "Select it too, complete pairing in the plan, or: ferry mappings PLAN set SOURCE TARGET.",
  },
  "users-unknown": {
    means:
      "Whether something at the target refers to what is to go cannot be found out. What was to be deleted is not.",
    why: "A list that would show it cannot be read.",
    act: "Where a permission is missing, give it to the API client; where the service failed, run again; or delete by hand.",
  },
  "kept-otherwise": {
    means: "The target shows an object otherwise than it was sent.",
    why: "The service writes some values in a form of its own (trimmed, shortened, in other letters, rounded). What is no form of what was sent counts as somebody's word, and is drift in the next run.",
    act: "Compare the two; what the target shows is taken as what was meant, until either side changes. Or say it at the source as the target keeps it.",
  },
  "verify-difference": {
    means: "What was read back is not what was sent.",
    why: "Somebody changed it meanwhile, or the service keeps something else than it is given.",
    act: "Look at the fields that are named, then: ferry diff PLAN.",
  },
  withheld: {
    means: "The object would have been deleted; it was not.",
    why: "Deletes need --allow-delete.",
    act: "If it is to go: the same command with --allow-delete, and --max-deletes as a limit.",
  },
  "words-left": {
    means: "What was brought over something stays at the target, and nothing is known of it from now on.",
    why: "At the source the thing is gone, or was imported anew and nobody has said anything of the new one; no list tells which. Or the thing has another twin by now.",
    act: "Clear it by hand in the web application of the target, where nobody wants it there.",
  },
} as const satisfies Readonly<Record<string, Explanation>>;
