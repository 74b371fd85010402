import type { Diagnostic } from "../model/diagnostic.ts";

/** From so many on, one for each would say the same thing over and over. */
const fewest = 3;

/** What several of a run's diagnostics have in common is said once, with what is special about each behind it. */
export function together(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const keyOf = ({ cause, severity }: Diagnostic): string | undefined =>
    cause === undefined ? undefined : `${severity} ${cause.key}`;
  const groups = Map.groupBy(found, keyOf);
  const told = new Set<unknown>();
  return found.flatMap((one): readonly Diagnostic[] => {
    const { cause, severity, code } = one;
    if (cause === undefined) return [one];
    const key = keyOf(one);
    const group = groups.get(key) ?? [];
    if (group.length < fewest) return [one];
    if (told.has(key)) return [];
    told.add(key);
    const { summary, suggestion } = cause;
    return [
      {
        severity,
        code,
        summary: `${summary} (${group.length.toLocaleString("en")})`,
        detail: group.map(briefOf).join(", "),
        ...(suggestion === undefined ? {} : { suggestion }),
      },
    ];
  });
}

function briefOf({ brief, coordinate, summary }: Diagnostic): string {
  return brief ?? (coordinate === undefined ? summary : `${coordinate.kind} "${coordinate.name}"`);
}
