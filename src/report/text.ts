import { wrap } from "./columns.ts";
import { detailLines } from "./details.ts";
import type { ReportOptions } from "./options.ts";
import { painter } from "./paint.ts";
import type { Page } from "./text-item.ts";
import { groupedLines } from "./text-group.ts";
import { diagnosticLines, itemLines, stateStyles } from "./text-item.ts";
import { personStates } from "./states.ts";
import { display } from "../model/display.ts";
import type { Count, Section, View } from "./view.ts";
import { viewOf } from "./view.ts";
import type { Result } from "../model/result.ts";

const limits = { change: 50, person: 100, delete: 200 } as const;
const toneStyles = { good: "green", news: "cyan", warn: "yellow", bad: "red" } as const;

/** For a terminal: counts, changes, what needs a person, deletes last and loud; then how it ended and what is next. */
export function renderText(result: Result, options: ReportOptions = {}): string {
  const view = viewOf(result);
  const page: Page = {
    paint: painter(options.color ?? false),
    width: Math.max(40, options.width ?? 80),
    verbose: options.verbose ?? 0,
  };
  const blocks = [
    headLines(view, page),
    detailLines(result.details, page.width),
    ...view.sections.map((section) => sectionLines(section, page)),
    personLines(view, page),
    noteLines(view, page),
    deleteLines(view, page),
    endLines(view, page),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function headLines(view: View, { paint, width }: Page): readonly string[] {
  const { command, plan, run } = view.result;
  const title = [`ferry ${display(command)}`, display(plan)].filter((part) => part !== "").join(" ");
  const about = [view.route, run && `run ${display(run)}`].filter(
    (part) => part !== undefined && part !== "",
  );
  const first = about.length === 0 ? title : `${title}: ${about.join(", ")}`;
  const waits = (count: Count): boolean => personStates.includes(count.state);
  const list = (counts: readonly Count[]): string =>
    counts.map((count) => `${count.value} ${count.label}`).join(", ");
  const person = view.counts.filter(waits);
  return [
    ...wrap(first, width).map((line) => paint("bold", line)),
    ...countLines(list(view.counts.filter((count) => !waits(count))), "", width),
    ...countLines(list(person), "needs a person: ", width).map((line) => paint("yellow", line)),
  ];
}

function countLines(list: string, label: string, width: number): readonly string[] {
  return list === "" ? [] : wrap(label + list, width - 2).map((line) => `  ${line}`);
}

function sectionLines(section: Section, page: Page): readonly string[] {
  if (section.items.length === 0) return [];
  const detailed = section.key === "update" || section.key === "replace";
  if (!detailed && page.verbose === 0) return [heading(section, page), ...groupedLines(section.items, page)];
  const shown = cutList(section, page, limits.change);
  const lines = shown.flatMap((item) => itemLines(item, page));
  return [heading(section, page), ...lines, ...moreLine(section, shown.length)];
}

function personLines({ person }: View, page: Page): readonly string[] {
  if (person.items.length === 0) return [];
  const shown = cutList(person, page, limits.person);
  return [
    heading(person, page),
    ...shown.flatMap((item) => itemLines(item, page)),
    ...moreLine(person, shown.length),
  ];
}

function noteLines({ diagnostics }: View, page: Page): readonly string[] {
  if (diagnostics.length === 0) return [];
  return [
    page.paint("bold", "About the run"),
    // What several have in common as their next step is said once, under the last of them.
    ...diagnostics.flatMap((found, index) => {
      const { suggestion, ...rest } = found;
      const repeated = suggestion !== undefined && diagnostics[index + 1]?.suggestion === suggestion;
      return diagnosticLines(repeated ? rest : found, page, "  ");
    }),
  ];
}

function deleteLines({ deletes, result }: View, page: Page): readonly string[] {
  if (deletes.items.length === 0) return [];
  const at = result.target === undefined ? "" : ` AT ${display(result.target.name)}`;
  const title = `!!! ${deletes.title.toUpperCase()}${at} (${deletes.items.length}) !!!`;
  const shown = cutList(deletes, page, limits.delete);
  return [
    page.paint(["bold", "red"], title),
    ...shown.flatMap((item) => itemLines(item, page)),
    ...moreLine(deletes, shown.length),
  ];
}

function endLines(view: View, { paint, width }: Page): readonly string[] {
  const lines = wrap(view.headline, width).map((line) => paint([toneStyles[view.tone], "bold"], line));
  const cost = wrap(view.cost, width).map((line) => paint("dim", line));
  const next = view.next.length === 0 ? [] : ["Next:", ...view.next.map((command) => `  ${command}`)];
  return [...lines, ...cost, ...next];
}

function heading(section: Section, { paint }: Page): string {
  const style = section.key === "person" ? "yellow" : stateStyles[section.key];
  return paint(["bold", style], `${section.title} (${section.items.length})`);
}

function cutList(section: Section, { verbose }: Page, limit: number): Section["items"] {
  return verbose > 0 || section.items.length <= limit ? section.items : section.items.slice(0, limit);
}

function moreLine(section: Section, shown: number): readonly string[] {
  const left = section.items.length - shown;
  return left === 0 ? [] : [`  ... and ${left} more (see --format html or --json)`];
}
