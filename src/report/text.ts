import { columns, pad, wrap } from "./columns.ts";
import { detailLines } from "./details.ts";
import type { ReportOptions } from "./options.ts";
import { painter } from "./paint.ts";
import { parityLines } from "./parity/text.ts";
import type { SideNames } from "./text-field.ts";
import { versionLines } from "./text-field.ts";
import type { Page } from "./text-item.ts";
import { causeLines, groupedLines } from "./text-group.ts";
import type { Item } from "./item.ts";
import { compactLines, diagnosticLines, itemLines, stateStyles, wrapStep } from "./text-item.ts";
import { ownWords } from "./own-words.ts";
import { personStates } from "./states.ts";
import type { FieldChange } from "../model/change.ts";
import { display } from "../model/display.ts";
import type { Count, Section, View } from "./view.ts";
import { consequenceLines, viewOf } from "./view.ts";
import type { Result } from "../model/result.ts";
import { selectedBy } from "../model/packed/listed.ts";

const limits = { change: 50, person: 100, delete: 200, note: 10 } as const;
const toneStyles = { good: "green", news: "cyan", warn: "yellow", bad: "red" } as const;

/** For a terminal: counts, changes, what needs a person, deletes last and loud; then how it ended and what is next. */
export function renderText(result: Result, options: ReportOptions = {}): string {
  return [...piecesOfText(result, options)].join("");
}

/** The same line by line: a report of many objects is never in memory as one text. */
export function* piecesOfText(result: Result, options: ReportOptions = {}): Generator<string> {
  const view = viewOf(result);
  const page: Page = {
    paint: painter(options.color ?? false),
    width: Math.max(40, options.width ?? 80),
    verbose: options.verbose ?? 0,
    brief: options.brief ?? false,
    names:
      result.source === undefined || result.target === undefined
        ? undefined
        : { source: result.source.name, target: result.target.name },
  };
  const blocks: readonly Iterable<string>[] = [
    headLines(view, page),
    detailLines(result.details, page.width, options.isTerminal),
    ...(page.brief ? outcomeBlocks(view, page) : view.sections.map((section) => sectionLines(section, page))),
    personLines(view, page),
    acknowledgedLines(view, page),
    noteLines(view, page),
    deleteLines(view, page),
    parityLines(result, page),
    endLines(view, page, options.whole),
  ];
  let before = "";
  for (const block of blocks) {
    let isEmpty = true;
    for (const line of block) {
      yield before + line;
      before = "\n";
      isEmpty = false;
    }
    if (!isEmpty) before = "\n\n";
  }
  yield "\n";
}

/** One object with the versions of its fields, for whoever decides between them. */
export function renderFields(
  object: {
    readonly kind: string;
    readonly name: string;
    readonly urn: string;
    readonly note: string;
    readonly fields: readonly FieldChange[];
  },
  names: SideNames,
  options: Pick<ReportOptions, "color" | "width">,
): string {
  const page: Page = {
    paint: painter(options.color ?? false),
    width: Math.max(40, options.width ?? 80),
    verbose: 1,
    brief: false,
  };
  const { kind, name, urn, note, fields } = object;
  const lines = [
    `${display(kind)} ${page.paint("bold", `"${display(name)}"`)}`,
    `      ${page.paint("dim", display(urn))}`,
    ...wrap(display(note), page.width - 6).map((line) => `      ${line}`),
    ...fields.flatMap((field) => versionLines(field, names, page, "      ")),
  ];
  return `${lines.join("\n")}\n`;
}

/** What stands directly above the question: what is easily read past, once more; empty where there is nothing. */
export function renderConsequences(result: Result, options: Pick<ReportOptions, "color" | "width">): string {
  const page = { paint: painter(options.color ?? false), width: Math.max(40, options.width ?? 80) };
  const lines = consequencesText(consequenceLines(result), page);
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
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
    counts.map((count) => `${count.value.toLocaleString("en")} ${count.label}`).join(", ");
  const person = view.counts.filter(waits);
  return [
    ...wrap(first, width).map((line) => paint("bold", line)),
    ...countLines(list(view.counts.filter((count) => !waits(count))), "", width),
    ...countLines(list(person), "needs a person: ", width).map((line) => paint("yellow", line)),
    ...consequencesText(view.consequences, { paint, width }),
  ];
}

function consequencesText(
  found: View["consequences"],
  { paint, width }: Pick<Page, "paint" | "width">,
): readonly string[] {
  return found.flatMap(({ text, names }) => [
    ...wrap(text, width - 4).map((line, at) =>
      paint(["bold", "red"], at === 0 ? `  ! ${line}` : `    ${line}`),
    ),
    ...wrap(names, width - 6).map((line) => paint("dim", `      ${line}`)),
  ]);
}

function countLines(list: string, label: string, width: number): readonly string[] {
  return list === "" ? [] : wrap(label + list, width - 2).map((line) => `  ${line}`);
}

function* sectionLines(section: Section, page: Page): Generator<string> {
  if (section.items.length === 0) return;
  yield heading(section, page);
  const detailed = section.key === "update" || section.key === "replace";
  if (!detailed && page.verbose === 0) {
    yield* plainLines(section, page);
    return;
  }
  const shown = cutList(section, page, limits.change);
  for (const item of shown) yield* itemLines(item, page);
  yield* moreLine(section, shown.length);
}

/** What is alike together; of what something is said beside its reason each by itself, with that. */
function* plainLines(section: Section, page: Page): Generator<string> {
  const { items } = section;
  const split = selectedBy(items, (item) => ownWords(item).length > 0);
  const plain = split.get(false);
  if (plain !== undefined) yield* groupedLines(plain.of(items), page);
  const told = split.get(true)?.of(items) ?? [];
  const shown = cutList({ ...section, items: told }, page, limits.change);
  for (const item of shown) yield* itemLines(item, { ...page, brief: true });
  yield* moreLine({ ...section, items: told }, shown.length);
}

/** So few of a kind are named: who has changed two rules wants to read which. */
const fewDone = 5;

/** How many of what was done, and by name what was not even begun. */
function outcomeBlocks(view: View, page: Page): readonly (readonly string[])[] {
  const rows = view.sections.flatMap((section) => {
    const { items } = section;
    const kinds = [...selectedBy(items, ({ kind, note }) => (note === undefined ? kind : undefined))];
    const done = kinds.flatMap(([kind, own]) => (kind === undefined ? [] : [{ kind, own }]));
    const list = done.map(({ kind, own }) =>
      own.length <= fewDone
        ? `${kind} ${own
            .of(items)
            .map(({ name }) => `"${name}"`)
            .join(", ")}`
        : `${kind} (${own.length.toLocaleString("en")})`,
    );
    const count = done.reduce((sum, { own }) => sum + own.length, 0);
    return count === 0 ? [] : [{ section, count, list: list.join(", ") }];
  });
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const width = Math.max(0, ...rows.map(({ section }) => columns(section.key)));
  const lines = rows.flatMap(({ section, list }) => {
    const [first = "", ...rest] = wrap(list, page.width - width - 4);
    const label = page.paint(
      section.key === "person" ? "yellow" : stateStyles[section.key],
      pad(section.key, width),
    );
    return [`  ${label}  ${first}`, ...rest.map((line) => `${" ".repeat(width + 4)}${line}`)];
  });
  const left = view.sections.flatMap((section) => section.items.filter((item) => item.note !== undefined));
  return [
    total === 0 ? [] : [page.paint(["bold", "green"], `Done (${total.toLocaleString("en")})`), ...lines],
    left.length === 0
      ? []
      : [
          page.paint(["bold", "yellow"], `Not done (${left.length.toLocaleString("en")})`),
          ...groupedLines(left, page),
        ],
  ];
}

/** Common causes first: mending one of them may be all there is to do. */
function* personLines({ person, byCause }: View, page: Page): Generator<string> {
  if (person.items.length === 0) return;
  const { causes, single } = byCause;
  const rest = { ...person, items: single };
  const shown = cutList(rest, page, limits.person);
  yield heading(person, page);
  for (const group of causes) yield* causeLines(group, page);
  for (const item of shown) yield* itemLines(item, page);
  yield* moreLine(rest, shown.length);
}

/** A line each, or by name: they are known. */
function acknowledgedLines({ acknowledged }: View, page: Page): readonly string[] {
  if (acknowledged.items.length === 0) return [];
  return [
    page.paint("bold", `${acknowledged.title} (${acknowledged.items.length.toLocaleString("en")})`),
    ...groupedLines(acknowledged.items, page),
  ];
}

function noteLines(view: View, page: Page): readonly string[] {
  if (view.notes.length === 0) return [];
  const diagnostics = page.brief ? firstOfEach(view.notes) : view.notes;
  const left = view.notes.length - diagnostics.length;
  return [
    page.paint("bold", "About the run"),
    // What several have in common as their next step is said once, under the last of them.
    ...diagnostics.flatMap((found, index) => {
      const { suggestion, ...rest } = found;
      const repeated = suggestion !== undefined && diagnostics[index + 1]?.suggestion === suggestion;
      return diagnosticLines(repeated ? rest : found, page, "  ");
    }),
    ...(left === 0
      ? []
      : [`  ... and ${left.toLocaleString("en")} more like these (see --format html or --json)`]),
  ];
}

/** Some of each code: the diff has shown most of them. */
function firstOfEach(diagnostics: View["diagnostics"]): View["diagnostics"] {
  const seen = new Map<string, number>();
  return diagnostics.filter(({ code, severity }) => {
    const times = (seen.get(code) ?? 0) + 1;
    seen.set(code, times);
    return severity === "error" || times <= limits.note;
  });
}

function* deleteLines({ deletes, result }: View, page: Page): Generator<string> {
  if (deletes.items.length === 0) return;
  const at = result.target === undefined ? "" : ` AT ${display(result.target.name)}`;
  const title = `!!! ${deletes.title.toUpperCase()}${at} (${deletes.items.length.toLocaleString("en")}) !!!`;
  const shown = cutList(deletes, page, limits.delete);
  yield page.paint(["bold", "red"], title);
  // Whoever reads that many reads their names: what each of them says stands in the whole report.
  const isMany = shown.length > manyDeletes && page.verbose === 0;
  const plain = new Set(isMany ? shown.filter(hasNoMore) : []);
  if (plain.size > 0) yield* compactLines([...plain], page);
  for (const item of shown) if (!plain.has(item)) yield* itemLines(item, page);
  yield* moreLine(deletes, shown.length);
}

const manyDeletes = 20;

function hasNoMore({ change, steps }: Item): boolean {
  return change.diagnostics.length === 0 && steps.length === 0;
}

function endLines(view: View, { paint, width }: Page, whole: string | undefined): readonly string[] {
  const lines = wrap(view.headline, width).map((line) => paint([toneStyles[view.tone], "bold"], line));
  const cost = (view.cost === "" ? [] : wrap(view.cost, width)).map((line) => paint("dim", line));
  const next =
    view.next.length === 0 ? [] : ["Next:", ...view.next.flatMap((step) => nextLines(step, width))];
  const where =
    whole === undefined
      ? []
      : [
          paint(
            "dim",
            `${view.result.parity === undefined ? "Every change" : "Every pair"}: ${display(whole)}`,
          ),
        ];
  return [...lines, ...cost, ...where, ...next];
}

function nextLines(step: string, width: number): readonly string[] {
  const lines = step.startsWith("ferry ") ? [step] : wrapStep(step, width - 4);
  return lines.map((line, index) => (index === 0 ? `  ${line}` : `    ${line}`));
}

function heading(section: Section, { paint }: Page): string {
  const style = section.key === "person" ? "yellow" : stateStyles[section.key];
  return paint(["bold", style], `${section.title} (${section.items.length.toLocaleString("en")})`);
}

function cutList(section: Section, { verbose }: Page, limit: number): Section["items"] {
  return verbose > 0 || section.items.length <= limit ? section.items : section.items.slice(0, limit);
}

function moreLine(section: Section, shown: number): readonly string[] {
  const left = section.items.length - shown;
  return left === 0 ? [] : [`  ... and ${left.toLocaleString("en")} more (see --format html or --json)`];
}
