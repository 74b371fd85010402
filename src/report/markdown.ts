import { display, shorten } from "../model/display.ts";
import { mapped } from "../model/packed/listed.ts";
import type { Result } from "../model/result.ts";
import { bytes, share } from "./budget.ts";
import type { Share } from "./budget.ts";
import { detailLines } from "./details.ts";
import type { Entry } from "./markdown-item.ts";
import { causeEntry, entryOf, noteLines, stepText } from "./markdown-item.ts";
import { code, fenced, prose } from "./markdown-escape.ts";
import type { ReportOptions } from "./options.ts";
import { parityMarkdown } from "./parity/markdown.ts";
import type { Section, View } from "./view.ts";
import { viewOf } from "./view.ts";

/** A pull-request comment holds 65,536 characters; a job summary more. */
const defaultBytes = 60_000;
/** For headings, "and N more" lines and the note of what was cut. */
const reserve = 1200;
/** Longer lists of plain changes fold away, so that what needs a person stays in sight. */
const foldedFrom = 16;

interface Group {
  readonly key: Section["key"] | "notes";
  readonly title: string;
  /** Objects; entries may stand for several. */
  readonly count: number;
  readonly entries: readonly Entry[];
}

/** The first are cut last. */
const importance: readonly Group["key"][] = [
  "delete",
  "person",
  "notes",
  "replace",
  "update",
  "adopt",
  "create",
  "acknowledged",
];

/** For a pull-request comment or a job summary. What does not fit is cut and named, deletes and persons' work last. */
export function renderMarkdown(result: Result, options: ReportOptions = {}): string {
  const limit = options.maxBytes ?? defaultBytes;
  const view = viewOf(result);
  const [head, end] = [headOf(view), endOf(view)];
  // What was compared takes half of the room at most, where there are changes as well.
  const free = limit - bytes(head) - bytes(end) - reserve;
  const parity = parityMarkdown(result, view.items.size === 0 ? free : Math.floor(free / 2));
  const groups = groupsOf(view);
  const shares = sharesOf(groups, free - bytes(parity));
  const body = groups.map((group) => groupText(group, shares.get(group), view));
  const whole = [head, parity, ...body, cutNote(shares, view), end].filter((part) => part !== "").join("\n");
  return bytes(whole) <= limit ? whole : firstLines(whole, limit);
}

/** Deletes and persons' work take what they need; the rest is for everything else. */
function sharesOf(groups: readonly Group[], room: number): ReadonlyMap<Group, Share> {
  const ranked = groups.toSorted((a, b) => importance.indexOf(a.key) - importance.indexOf(b.key));
  const firstPlain = ranked.findIndex((group) => !isLoud(group.key));
  const loud = firstPlain === -1 ? ranked : ranked.slice(0, firstPlain);
  const plain = ranked.slice(loud.length);
  const first = share(
    loud.map((group) => group.entries),
    room,
  );
  const second = share(
    plain.map((group) => group.entries),
    first.left,
  );
  const given = [...first.shares, ...second.shares];
  return new Map(
    ranked.map((group, index) => [group, given[index] ?? { shown: 0, full: new Set<number>() }]),
  );
}

function isLoud(key: Group["key"]): boolean {
  return key === "delete" || key === "person";
}

/** In the order of every format. */
function groupsOf(view: View): readonly Group[] {
  const notes = view.notes.map(noteLines).map((text) => ({ short: text, full: text }));
  const ofSection = ({ key, title, items }: Section): Group => {
    return { key, title, count: items.length, entries: mapped(items, (item) => entryOf(item, isLoud(key))) };
  };
  const person: Group = {
    key: "person",
    title: view.person.title,
    count: view.person.items.length,
    entries: [
      ...view.byCause.causes.map(causeEntry),
      ...view.byCause.single.map((item) => entryOf(item, true)),
    ],
  };
  const groups: readonly Group[] = [
    ...view.sections.map(ofSection),
    person,
    ofSection(view.acknowledged),
    { key: "notes", title: "About the run", count: notes.length, entries: notes },
    ofSection(view.deletes),
  ];
  return groups.filter((group) => group.entries.length > 0);
}

function headOf(view: View): string {
  const { command, plan, run } = view.result;
  const route = view.route === undefined ? "" : `: ${prose(view.route)}`;
  const lines = [
    `## ferry ${prose(shorten(display(command), 40))} ${prose(shorten(display(plan), 120))}${route}`,
    "",
    `**${prose(shorten(view.headline, 600))}**`,
    "",
    ...countTable(view),
    ...view.consequences.map(
      ({ text, names }) => `> [!WARNING]\n> **${prose(text)}**: ${prose(shorten(names, 400))}\n`,
    ),
    ...(run === undefined ? [] : [`Run ${code(shorten(display(run), 80))}.`, ""]),
  ];
  const details = detailLines(view.result.details, 100);
  const shown = details.slice(0, 60).map((line) => shorten(line, 200));
  const more = details.length > shown.length ? [`... and ${details.length - shown.length} more lines`] : [];
  return [...lines, ...(shown.length === 0 ? [] : [fenced("text", [...shown, ...more]), ""])].join("\n");
}

function countTable({ counts }: View): readonly string[] {
  if (counts.length === 0) return [];
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    row(counts.map((count) => count.label)),
    row(counts.map(() => "--:")),
    row(counts.map((count) => String(count.value))),
    "",
  ];
}

function endOf(view: View): string {
  const next = view.next.slice(0, 10).map((step) => `- ${stepText(step)}`);
  return [
    view.cost === "" ? "" : `${prose(view.cost)}.`,
    ...(next.length === 0 ? [] : ["", "Next:", "", ...next]),
    "",
  ].join("\n");
}

function groupText(group: Group, part: Share | undefined, view: View): string {
  const shown = part?.shown ?? 0;
  const entries = group.entries
    .slice(0, shown)
    .map((entry, at) => (part?.full.has(at) === true ? entry.full : entry.short));
  const left = group.entries.length - shown;
  const more = left === 0 ? [] : [`\n... and ${left} more\n`];
  const heading = `### ${group.title} (${group.count})`;
  const lines = [...entries, ...more].join("");
  if (group.key === "delete") {
    const at =
      view.result.target === undefined ? "" : ` at ${prose(shorten(display(view.result.target.name), 80))}`;
    return `${heading}\n\n> [!CAUTION]\n> **${group.title}${at}: ${group.entries.length}**\n\n${lines}`;
  }
  const folds = shown >= foldedFrom && group.key !== "person" && group.key !== "notes";
  return folds
    ? `${heading}\n\n<details><summary>Show ${shown}</summary>\n\n${lines}\n</details>\n`
    : `${heading}\n\n${lines}`;
}

/** Says what is missing and where it is: a comment that was cut must not pass for a whole one. */
function cutNote(shares: ReadonlyMap<Group, Share>, view: View): string {
  const missing = [...shares].flatMap(([group, { shown, full }]) => {
    const left = group.entries.length - shown;
    const fields = group.entries
      .slice(0, shown)
      .filter((entry, at) => entry.full !== entry.short && !full.has(at)).length;
    const title = group.title.toLowerCase();
    return [
      left > 0 ? `${left} of "${title}"` : "",
      fields > 0 ? `the fields of ${fields} of "${title}"` : "",
    ];
  });
  const named = missing.filter((part) => part !== "");
  if (named.length === 0) return "";
  const brief = view.result.changes.filter(({ inBrief }) => inBrief === true).length;
  const left =
    brief === 0
      ? ""
      : `, but for what ${brief.toLocaleString("en")} creates will hold: that stands in the snapshot of the source`;
  const where = code(
    shorten(`ferry ${display(view.result.command)} ${display(view.result.plan)} --format html`, 200),
  );
  return `**Cut to fit:** ${prose(named.join(", "))}. All of it is in ${where} or with ${code("--json")}${left}.\n`;
}

/** The last resort, for a limit that holds hardly more than the head. */
function firstLines(text: string, limit: number): string {
  const note = "\n... cut to fit\n";
  let kept = "";
  for (const line of text.split("\n")) {
    if (bytes(kept) + bytes(line) + 1 + bytes(note) > limit) break;
    kept += `${line}\n`;
  }
  return kept + note.slice(0, Math.max(0, limit - bytes(kept)));
}
