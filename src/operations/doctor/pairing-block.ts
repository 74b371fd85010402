import type { Pairing } from "../../model/plan.ts";
import { pairLine, quoted, renameLine } from "../../model/plan-lines.ts";

/** A thing of the source that the plan does not pair, with what may be its twin. */
export interface Loose {
  readonly section: "sources" | "connections" | "groups";
  readonly name: string;
  readonly nearest?: string | undefined;
}

/**
 * The pairing section of a plan as it is, with what it lacks as comments: pasted as it stands it changes nothing,
 * and nothing is paired by a guess that nobody has looked at.
 */
export function pairingBlock(pairing: Pairing, loose: readonly Loose[], target: string): string {
  const sections = (["sources", "connections", "groups"] as const).map((section) =>
    mapLines(
      section,
      pairing[section],
      loose.filter((entry) => entry.section === section),
      target,
    ),
  );
  const [sources = [], connections = [], groups = []] = sections;
  return [
    "# For the plan, in place of its own pairing section. What is missing stands as comments:",
    "# check each one, and take the # away before it.",
    "pairing:",
    ...sources,
    ...connections,
    ...pathLines(pairing),
    ...groups,
    "",
  ].join("\n");
}

/** In braces: a section with nothing but comments is still a map, and it is one with any of the # taken away. */
function mapLines(
  section: Loose["section"],
  pairs: Readonly<Record<string, string>>,
  loose: readonly Loose[],
  target: string,
): readonly string[] {
  const known = Object.entries(pairs);
  if (known.length + loose.length === 0) return [`  ${section}: {}`];
  // Of namesakes one line is enough, and a map takes no more.
  const byName = new Map(loose.map((entry) => [entry.name, entry]));
  const isKnown = new Set(Object.keys(pairs));
  return [
    `  ${section}: {`,
    ...known.map(([from, to]) => {
      const wrong = byName.get(from);
      const guess = wrong?.nearest === undefined ? "" : `; a guess by name: ${quoted(wrong.nearest)}`;
      return `    ${pairLine(from, to)},${wrong === undefined ? "" : `  # finds no twin at ${quoted(target)}${guess}`}`;
    }),
    ...[...byName.values()].flatMap(({ name, nearest }) => {
      if (isKnown.has(name)) return [];
      if (nearest !== undefined) return [`    # ${pairLine(name, nearest)},  # a guess by name`];
      const what = section === "groups" ? "<uuid>" : "<name>";
      return [`    # ${pairLine(name, what)},  # as it is called at ${quoted(target)}`];
    }),
    "  }",
  ];
}

function pathLines({ paths }: Pairing): readonly string[] {
  return paths.length === 0
    ? ["  paths: []"]
    : ["  paths:", ...paths.map((path) => `    ${renameLine(path)}`)];
}
