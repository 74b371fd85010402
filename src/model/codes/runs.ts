import type { Explanation } from "./explanation.ts";

/** About a run as a whole, or the command that was given. */
export const runCodes = {
  "wrong-target": {
    means:
      "Most of what was moved is gone at the target, or its master-data server is another one, and nothing was done.",
    why: "The address leads to another environment than before, or the target was reset or restored.",
    act: "Check baseUrl and realm of the target. To fill a target that was reset: policy.missingTarget: recreate.",
  },
  "wrong-source": {
    means:
      "Most of what was moved is gone at the source and stands there anew, or its master-data server is another one, and nothing was done.",
    why: "The address leads to another environment than before, or the source was built or imported anew.",
    act: "Check baseUrl and realm of the source. To pair a source that was built anew by name: remove the pair's folder from mappings/.",
  },
  "acknowledged-idle": {
    means: "An entry under `acknowledged` in the plan fits nothing that waits for a person.",
    why: "What it was about is settled or gone, or its name is written otherwise.",
    act: "Take the entry out of the plan.",
  },
  "acknowledged-unbound": {
    means:
      "An entry under `acknowledged` in the plan has no print: it covers its objects however they change.",
    why: "It was written by hand. Those that `ferry ack` writes are bound to what was found.",
    act: "Leave it so, if that is meant, or run ferry ack PLAN OBJECT: it keeps the reason and puts the print in.",
  },
  "creates-in-brief": {
    means: "There are so many new objects that not all are listed with what they will hold.",
    why: "Beyond 5,000 creates in a diff, and 1,000 in a run without an approved one, a report with all of it would be larger than the snapshot, and nobody would read it.",
    act: "Look into plans/PLAN/snapshot, a file for each kind; or narrow the diff with --kinds and --include.",
  },
  "applied-not-kept": {
    means: "What was brought to the target was not kept for later conflicts.",
    why: "`applied.ndjson` beside the mapping could not be written.",
    act: "Make room, or the folder writable. Nothing else depends on it.",
  },
  "as-before": {
    means: "Nothing was compared, since nothing can be otherwise than in the run before.",
    why: "That run wrote nothing. Since then nothing has changed in the plan and in what is known here, and both sides have answered all that it had asked byte for byte as they did then.",
    act: "Nothing. `ferry diff PLAN` and `ferry verify PLAN` compare all of it in any case.",
  },
  "approved-before": {
    means:
      "A run that applied an approved diff did not come to its end, and this one is not bound to that diff.",
    why: "`ferry apply` without --diff does what the source says now, and not what was approved then.",
    act: "To do what was approved and nothing else: ferry apply PLAN --diff FILE, with the file that was approved.",
  },
  "born-without": {
    means: "An SQL item was created, and its attributes are not as expected.",
    why: "They did not show within limits.attributesWait, or are other ones; often its connection cannot run the query.",
    act: "Set the item right at the target, and run again: what waits for it is taken up then.",
  },
  defect: {
    means: "Something happened that ferry has no words for.",
    why: "That is a mistake in ferry.",
    act: "Run again with -vv, and report what it prints.",
  },
  "diff-moved": {
    means: "The approved diff does not fit any more, and nothing was done.",
    why: "Source, target, mapping or plan changed after it was made.",
    act: "Make a new one: ferry diff PLAN --out FILE; have it approved again.",
  },
  "too-many-deletes": {
    means: "More would be deleted than --max-deletes lets through, or, without that, most of what was moved.",
    why: "Much was deleted at the source; or the source was emptied, or is another one.",
    act: "Look with ferry diff PLAN. If all of it is to go: --max-deletes with that number, or an approved diff.",
  },
  "doctor-not-known": {
    means: "Whether something has a twin at the target cannot be told yet.",
    why: "No list shows things of this kind.",
    act: "Do what is said with it; `ferry diff PLAN` finds out.",
  },
  "doctor-unpaired": {
    means: "Something of the source has no twin at the target.",
    why: "Its name differs there, or it does not exist there.",
    act: "Put what fits of the pairing section that the doctor prints into the plan.",
  },
  "no-common-base": {
    means: "An object is in conflict, and how it was last applied is not known here.",
    why: "`applied.ndjson` beside the mapping is not there, or not as new as the mapping: the last apply ran elsewhere.",
    act: "Run where the last apply ran, or keep the file from run to run (mappings/README.md). Nothing is merged without it.",
  },
  "pairing-not-there": {
    means: "A pair of the plan names something that the target does not have.",
    why: "The name is misspelt, or what it named was renamed or removed there.",
    act: "Correct it as the message says; `ferry doctor PLAN --write` does so where it is sure of the line.",
  },
  "draft-left": {
    means: "A draft that no list shows may be left at the target.",
    why: "The answer to its creation was lost, and a new one was made.",
    act: "Look for it in the web application of the target, and discard it.",
  },
  "in-doubt": {
    means: "A request was sent, and what became of it is not known.",
    why: "Its answer was lost, and the target shows neither clearly that it happened nor that it did not.",
    act: "See what may be it, and decide: ferry resolve PLAN.",
  },
  incomplete: {
    means: "A list is not complete, and nothing was done because of what it lacks.",
    why: "It moved while it was read, failed, or was cut: what it lacks must not be taken for gone.",
    act: "Run the same command again.",
  },
  interrupted: {
    means: "The command was interrupted.",
    why: "Ctrl-C, a signal, or the end of a CI job.",
    act: "Run the same command again to continue: nothing is lost, and nothing is done twice.",
  },
  "journal-tail-cut": {
    means: "A half-written line at the end of the journal was cut off.",
    why: "A run was killed while it wrote; nobody had relied on that line.",
    act: "Nothing.",
  },
  "link-term-rule": {
    means: "A rule has to be linked to a term at the target by a person.",
    why: "No interface makes such links.",
    act: "Make the link in the web application of the target, then set policy.termLinks to done.",
  },
  locked: {
    means: "Another run works on this target.",
    why: "Two at a time could create something twice.",
    act: "Wait for it to end; the lock frees by itself when its holder does.",
  },
  "looked-for-users": {
    means: "Where users of what is to be deleted were looked for.",
    why: "Drafts that no list shows, and kinds that ferry does not move, cannot be looked at.",
    act: "Look there yourself before you allow the delete.",
  },
  "not-confirmed": {
    means: "The question was not answered with the word that was asked for; nothing was done.",
    why: "A person types target.confirm of the plan, or yes.",
    act: "Run the same command again, or add --yes.",
  },
  "on-its-way": {
    means:
      "A run that is at work at the target has sent a request for this object, and it has no answer yet.",
    why: "This was compared while that run went on.",
    act: "Wait until it has ended: ferry status PLAN tells. Then: ferry diff PLAN.",
  },
  "run-at-work": {
    means: "A run was at work at the target while both sides were compared.",
    why: "What it has not done yet is shown as still to be done, and an apply would be refused meanwhile.",
    act: "Wait until it has ended: ferry status PLAN tells. Then: ferry diff PLAN.",
  },
  "one-environment": {
    means: "Source and target are the same environment; nothing was written.",
    why: "Both addresses show the same objects.",
    act: "Correct baseUrl and realm of one of them in the plan.",
  },
  "pair-other-key": {
    means: "A pair was set whose two objects have different names.",
    why: "What tells such objects apart differs on the two sides.",
    act: "If they are not the same thing: ferry mappings PLAN remove SOURCE.",
  },
  "pair-unfinished": {
    means:
      "A run has drafted something at the target and not published it, and what it was drafted for is paired otherwise by now, or not at all.",
    why: "That run was stopped in between, and the pair alone tells that the draft is its own.",
    act: "Publish or discard the draft by hand in the web application of the target.",
  },
  "pair-unchecked": {
    means: "A pair was set without looking whether both objects exist.",
    why: "--force was given, one of them cannot be read, or many were imported at once.",
    act: "The next `ferry diff PLAN` tells what is not there.",
  },
  plan: {
    means: "The plan cannot be used; nothing was sent.",
    why: "A key is unknown or missing, a value does not fit, or a variable is not set.",
    act: "Correct the line that is named. The editor helps: see `ferry init --schema`.",
  },
  "plain-http": {
    means: "Requests and secrets go over the network unencrypted.",
    why: "A baseUrl begins with http and is not on this machine.",
    act: "Use https, or keep to a network that you trust.",
  },
  "blank-in-secret": {
    means: "What signs in begins or ends with a blank or a line break.",
    why: "A command or an editor has put it into the variable, mostly: the service takes it for a part of the secret, and refuses it.",
    act: "Take it out of the variable, and run the same command again.",
  },
  "env-file-cut": {
    means: "A value of the file that --env-file names is shorter than its line.",
    why: "It holds a # and stands in no quotation marks: what is behind that is taken for a remark.",
    act: "Put the value in quotation marks, where the # belongs to it.",
  },
  "secret-too-short": {
    means: "A secret of the plan has fewer than four characters.",
    why: "It stands in words and numbers all over: it is hidden in what ferry shows only where it is called a secret, a password or a token.",
    act: "Have a longer one made for the client.",
  },
  "proxy-unused": {
    means: "The environment names a proxy that is not used.",
    why: "Node uses it only when it is told to.",
    act: "Set NODE_USE_ENV_PROXY=1, or name the hosts in NO_PROXY.",
  },
  "quiet-period-short": {
    means: "limits.quietPeriod is shorter than limits.requestTimeout.",
    why: "A create whose answer was lost could be sent again while the service still works on the first.",
    act: "Set limits.quietPeriod above the longest timeout of the service and of what lies before it.",
  },
  "tenant-not-the-realm": {
    means: "The URNs of an environment are of another tenant than the plan's realm says.",
    why: "URNs are told as the environment's own are spelt. Of groups that it does not list nothing says it before the first run: theirs are told with the realm, and the service may not know them.",
    act: "Write the realm in the plan as the URNs spell it, where the sign-in takes that too; otherwise look at what names a group in the diff before the first run.",
  },
  "run-not-kept": {
    means: "A run could not be kept for a rollback.",
    why: "Its file could not be written.",
    act: "Do what is said with it; the run itself is not concerned.",
  },
  "schedules-start": {
    means: "Monitors run at the target as soon as they are there.",
    why: "Their schedules are enabled at the source, and policy.schedules is keep.",
    act: "Nothing, if that is meant; otherwise set policy.schedules to disable.",
  },
  selection: {
    means: "What was asked for does not exist, or means several things.",
    why: "A selector, a URN or a pair names nothing on its side, or was mistyped.",
    act: "Correct it as the message says.",
  },
  finished: {
    means:
      "What an interrupted run had created or changed and not published was published before the comparison.",
    why: "A run that goes on brings that to its end first; the diff before it had told of it.",
    act: "Nothing.",
  },
  unfinished: {
    means: "Something that an interrupted run created could not be published.",
    why: "The service refused it; its words are with it.",
    act: "Put right what the service complains about, and run again.",
  },
  unlisted: {
    means: "Objects are there that no list shows.",
    why: "The service's lists leave some out; they were read one by one, or are left to a person.",
    act: "Look at what is named in the web application, if a person has to.",
  },
  "unrecognised-field": {
    means: "Objects carry fields that ferry does not know; they travel along.",
    why: "The service is newer than its documents.",
    act: "Nothing, where they are configuration. Name under policy.ignoreFields those that the service fills itself: they are then neither compared nor sent.",
  },
  usage: {
    means: "The command was called the wrong way; nothing was sent.",
    why: "A flag or argument is unknown, missing, or does not fit.",
    act: "Correct it as the message says; `ferry COMMAND --help` shows what there is.",
  },
} as const satisfies Readonly<Record<string, Explanation>>;
