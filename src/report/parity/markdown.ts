import { display, shorten } from "../../model/display.ts";
import type { ParityPair } from "../../model/parity.ts";
import type { Result } from "../../model/result.ts";
import { bytes } from "../budget.ts";
import { prose } from "../markdown-escape.ts";
import type { Fact } from "./facts.ts";
import { factsOf } from "./facts.ts";
import type { Alike } from "./order.ts";
import { alikeIn, inOrder, measureText, outcomeTitles, pointsText, sizeOf } from "./order.ts";

/** For a pull-request comment: what differs with what it comes from, what could not be compared; in `room` bytes. */
export function parityMarkdown({ parity, source, target }: Result, room: number): string {
  if (parity === undefined || parity.length === 0) return "";
  const names = [source?.name ?? "source", target?.name ?? "target"].map((name) =>
    prose(shorten(display(name), 40)),
  );
  const [here = "", there = ""] = names;
  const ordered = inOrder(parity);
  const of = (outcome: ParityPair["outcome"]): readonly ParityPair[] =>
    ordered.filter((pair) => pair.outcome === outcome);
  const [different, without, equal] = [of("different"), of("not-comparable"), of("equal")];
  const lines: string[] = [];
  let left = room;
  let cut = 0;
  const add = (text: string): void => {
    const size = bytes(text) + 1;
    if (size > left) {
      cut += 1;
      return;
    }
    left -= size;
    lines.push(text);
  };
  if (different.length > 0) {
    add(`### ${outcomeTitles.different} (${different.length})\n`);
    add(`| monitor | ${here} | ${there} | apart |\n| --- | --: | --: | --: |`);
    for (const pair of different) add(rowOf(pair));
    add("");
    for (const pair of different) add(explained(pair, here, there));
  }
  if (without.length > 0) {
    add(`### ${outcomeTitles["not-comparable"]} (${without.length})\n`);
    const { alike, single } = alikeIn(without);
    for (const group of alike) add(alikeText(group));
    for (const pair of single) add(`- ${named(pair)}: ${prose(shorten(display(pair.reason), 400))}`);
    add("");
  }
  if (equal.length > 0) add(`### ${outcomeTitles.equal} (${equal.length})\n`);
  if (cut > 0) lines.push(`\n_${cut} more lines did not fit here; parity in report.json has them all._\n`);
  return lines.join("\n");
}

/** So many of them are named: a comment is read by people, and `report.json` has all. */
const mostNamed = 20;

function alikeText({ kind, reason, pairs }: Alike): string {
  const names = pairs.slice(0, mostNamed).map(({ source }) => prose(shorten(display(source.name), 120)));
  const left = pairs.length - names.length;
  const more = left === 0 ? "" : `, ... and ${left.toLocaleString("en")} more`;
  const head = `**${pairs.length.toLocaleString("en")} ${prose(display(kind))}**`;
  return `- ${head}: ${prose(shorten(display(reason), 400))} (${names.join(", ")}${more})`;
}

function named({ kind, source }: ParityPair): string {
  return `${prose(display(kind))} **${prose(shorten(display(source.name), 120))}**`;
}

function rowOf(pair: ParityPair): string {
  const { counts } = pair;
  const cells = [
    named(pair),
    measureText(counts.source),
    measureText(counts.target),
    pointsText(sizeOf(pair)),
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function explained(pair: ParityPair, here: string, there: string): string {
  const facts = factsOf(pair).flatMap((fact) => bullets(fact, 0, here, there));
  return `<details><summary>${named(pair).replaceAll("**", "")}</summary>\n\n${facts.join("\n")}\n\n</details>\n`;
}

function bullets(fact: Fact, depth: number, here: string, there: string): readonly string[] {
  const said = [
    `${prose(shorten(fact.label, 300))}: ${prose(shorten(fact.source, 120))} at ${here}`,
    `${prose(shorten(fact.target, 120))} at ${there}`,
  ].join(", ");
  return [
    `${"  ".repeat(depth)}- ${said}${fact.by === "" ? "" : ` (${fact.by} apart)`}`,
    ...fact.facts.flatMap((inner) => bullets(inner, depth + 1, here, there)),
  ];
}
