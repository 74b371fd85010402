import { distance } from "fastest-levenshtein";
import type { Selector } from "../../model/plan.ts";
import { someOf } from "../../model/some-of.ts";

/** A selector that nothing at the source fits. */
export interface IdleSelector {
  readonly list: "include" | "exclude";
  readonly selector: Selector;
}

/** As a person writes it: `include: kind rules, name "Emial*"`. */
export function written({ list, selector }: IdleSelector): string {
  const { kind, name, urns } = selector;
  const parts = [
    ...(kind === undefined ? [] : [`kind ${kind}`]),
    ...(name === undefined ? [] : [`name "${name}"`]),
    ...(urns === undefined ? [] : [urnList(urns)]),
  ];
  return `${list}: ${parts.length === 0 ? "anything" : parts.join(", ")}`;
}

function urnList(urns: readonly string[]): string {
  return `${urns.length === 1 ? "URN" : "URNs"} ${someOf(urns, 5)}`;
}

interface Named {
  readonly selectedAs: string;
  readonly name: string;
}

/** Names that are looked at for "did you mean": a slip must not take longer to tell than the run. */
const most = 50_000;

/** Names that were probably meant, a sentence for each selector that has some. */
export function nearNames(idle: readonly IdleSelector[], objects: readonly Named[]): readonly string[] {
  return idle.flatMap(({ selector: { kind, name } }) => {
    if (name === undefined) return [];
    const names = objects
      .slice(0, most)
      .filter(({ selectedAs }) => kind === undefined || selectedAs === kind)
      .map((object) => object.name);
    const found = near(name, new Set(names));
    return found.length === 0 ? [] : [`For "${name}", did you mean ${either(found)}?`];
  });
}

/** At most three, the nearest first. */
function near(pattern: string, names: ReadonlySet<string>): readonly string[] {
  const wanted = pattern.toLowerCase().replaceAll("*", "");
  if (wanted.length < 2) return [];
  // Two letters that changed places are two steps.
  const furthest = wanted.length < 4 ? 1 : Math.max(2, Math.floor(wanted.length / 3));
  const found = [...names]
    .map((name) => ({ name, steps: steps(pattern, wanted, name.toLowerCase()) }))
    .filter((candidate) => candidate.steps <= furthest)
    .sort((left, right) => left.steps - right.steps || (left.name < right.name ? -1 : 1));
  // Where only capitals differ, nothing else was meant.
  const same = found.filter((candidate) => candidate.steps === 0);
  return (same.length > 0 ? same : found).slice(0, 3).map(({ name }) => name);
}

/** How far the pattern is from the part of the name that it is about: its start, its end, or any of its words. */
function steps(pattern: string, wanted: string, name: string): number {
  const { length } = wanted;
  const open = pattern.startsWith("*");
  const cut = pattern.endsWith("*");
  if (!open && !cut) return distance(wanted, name);
  const parts = [
    ...(cut ? [name.slice(0, length)] : []),
    ...(open ? [name.slice(-length)] : []),
    ...(open && cut
      ? [...name.matchAll(/[\p{L}\p{N}]+/gu)].map(({ index }) => name.slice(index, index + length))
      : []),
  ];
  return Math.min(...parts.map((part) => distance(wanted, part)));
}

function either(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.pop() ?? "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`;
}
