import type { Explanation } from "./explanation.ts";

const restore = "Mend the file, or restore it from version control or a backup.";
const again = "Run the same command again: nothing is lost.";

/** About what ferry works with: the services that it speaks to, and the files that it keeps. */
export const surroundingCodes = {
  aborted: {
    means: "A request was given up because the command was interrupted.",
    why: "Ctrl-C, or a signal.",
    act: "Run the same command again to continue.",
  },
  "bad-json": {
    means: "A file is not JSON, or says a key twice.",
    why: "It was edited by hand, or a merge kept both sides' lines.",
    act: restore,
  },
  "bad-name": {
    means: "A name cannot name a file or folder.",
    why: "Names of environments and runs become names of files.",
    act: "Use letters, digits and hyphens.",
  },
  "bad-shape": {
    means: "A file is JSON, and does not say what it should.",
    why: "It was edited by hand, or is another file.",
    act: restore,
  },
  "cursor-repeated": {
    means: "A list of the service does not come to its end.",
    why: "It gives the same place again and again.",
    act: `${again} If it stays so, ask who runs the service.`,
  },
  "disk-full": {
    means: "There is no room left on the disk.",
    why: "Nothing is sent that could not be recorded.",
    act: "Make room, and run the same command again.",
  },
  "doctor-*": {
    means: "A check of the doctor failed; the code ends with what was checked.",
    why: "Sign-in, the permission to read one kind of thing, or a folder that cannot be written.",
    act: "Do what is said with it, then: ferry doctor PLAN.",
  },
  "duplicate-object": {
    means: "One object came twice in a list.",
    why: "The list moved while it was read.",
    act: "Run the same command again.",
  },
  "foreign-state": {
    means: "A file belongs to other environments than the plan's.",
    why: "baseUrl, realm or name changed in the plan, or the file was copied.",
    act: "Correct the plan, or name another --mappings-dir.",
  },
  "io-failed": {
    means: "The system refused to read or write a file.",
    why: "It says why; the reason is in the message.",
    act: "Do what the message says, and run again.",
  },
  "journal-closed": {
    means: "Something was to be recorded after the journal was closed.",
    why: "The run was ending.",
    act: "Run it again; if it happens again, report it.",
  },
  "journal-damaged": {
    means: "The journal is damaged in its middle.",
    why: "A disk, or a person; a torn last line is no damage.",
    act: "Restore it from a backup. Without one, move it away, run `ferry diff PLAN`, and look at the target for what the last run created.",
  },
  "lease-lost": {
    means: "This run does not hold the target any more.",
    why: "Another one took it over while this one was suspended.",
    act: "Wait for the other one to end, then run again.",
  },
  "lock-unusable": {
    means: "The lock cannot be taken.",
    why: "Its file cannot be written, or is on a disk that knows no locks.",
    act: "Keep the mappings on a local disk, in a folder that can be written.",
  },
  "mapping-damaged": {
    means: "A mapping file says something that cannot be.",
    why: "It was edited by hand, or a merge went wrong.",
    act: restore,
  },
  "mapping-not-bijective": {
    means: "Two sources are mapped to one target.",
    why: "Two branches paired the same object, or a file was edited by hand.",
    act: "Take the line of the pair that is wrong out of the file, by hand, then: ferry diff PLAN.",
  },
  "merge-conflict": {
    means: "Two versions of a file were not brought together.",
    why: "It holds git's conflict markers, or two branches changed one row of a mapping differently.",
    act: "Merge mappings by row: ferry mappings PLAN merge OURS THEIRS --base BASE. Of a journal take one side whole.",
  },
  "newer-format": {
    means: "A file was written by a newer version of ferry.",
    why: "Somebody else, or CI, uses a newer one.",
    act: "Update ferry; the file was left alone.",
  },
  "not-found": {
    means: "Something is not there: a file, or an address at the service.",
    why: "A path was mistyped, or baseUrl or realm leads elsewhere.",
    act: "Correct what is named.",
  },
  permission: {
    means: "The service does not let the API client do this (403).",
    why: "A permission is missing in that environment.",
    act: "Give the client the permission, or select fewer kinds; `ferry doctor PLAN` shows what is missing.",
  },
  "read-only": {
    means: "Something was to be written that was opened for reading.",
    why: "That is a mistake in ferry.",
    act: "Report it.",
  },
  refused: {
    means: "The service refused a request.",
    why: "It says why in the message.",
    act: "Look at what it says; with -vv every request is told.",
  },
  server: {
    means: "The service failed (5xx), also when it was asked again.",
    why: "It is down, or cannot digest the request.",
    act: `${again} If it stays so, ask who runs the service.`,
  },
  "sign-in": {
    means: "The credentials are not accepted.",
    why: "realm, clientId or clientSecret is wrong, or the address leads to something else.",
    act: "Check the environment in the plan; `ferry doctor PLAN` tests it.",
  },
  "snapshot-damaged": {
    means: "A snapshot is not as it was written.",
    why: "A disk, or a person.",
    act: "Export again: ferry export PLAN.",
  },
  "snapshot-in-the-way": {
    means: "Where a snapshot is to be written something else stands.",
    why: "The folder holds files that are none of ferry's.",
    act: "Choose another --work-dir, or move what is in it away.",
  },
  throttled: {
    means: "The service asked to wait (429), for longer than makes sense.",
    why: "Too many requests, also from others.",
    act: "Run again later, or lower limits.concurrency.",
  },
  timeout: {
    means: "There was no complete answer in time.",
    why: "The service or the network is slow, or limits.requestTimeout is short.",
    act: "Raise --timeout or limits.requestTimeout, or run again later: nothing is lost.",
  },
  unreachable: {
    means: "The service cannot be reached.",
    why: "baseUrl is wrong, or the network, a proxy or a certificate is in the way.",
    act: "Check baseUrl and the network, then run again: nothing is lost.",
  },
  unreadable: {
    means: "An answer or a file cannot be read.",
    why: "An answer is cut or is none of the service's (a proxy, a sign-in page); a file is not ours to read.",
    act: "Check baseUrl and what lies between, or the file's permissions, and run again.",
  },
  "not-synced": {
    means: "A file is written or removed, and its folder could not be synced.",
    why: "The folder is not readable, or the disk has an error: a loss of power may bring the earlier file back.",
    act: "Change the permissions or look at the disk, and run the same command again: what it did the first time it finds done.",
  },
  unwritable: {
    means: "A file or folder cannot be written.",
    why: "Its permissions, or a disk that is mounted for reading only.",
    act: "Change the permissions, and run the same command again. A mapping in another folder would know nothing of what was moved.",
  },
  vanished: {
    means: "A file or folder was taken away in the middle of a run.",
    why: "Somebody moved or cleaned it.",
    act: "Put it back where it was, from a backup if need be, and run the same command again.",
  },
} as const satisfies Readonly<Record<string, Explanation>>;
