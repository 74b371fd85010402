import type { Diagnostic } from "../model/diagnostic.ts";

/** From so many on, one for each would say the same thing over and over. */
const fewest = 3;

/** What several of a run's diagnostics have in common is said once, with what is special about each behind it. */
export function together(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const groups = Map.groupBy(found, ({ cause, severity }) =>
    cause === undefined ? undefined : `${severity} ${cause.key}`,
  );
  const told = new Set<unknown>();
  return found.flatMap((one): readonly Diagnostic[] => {
    const { cause, severity, code } = one;
    if (cause === undefined) return [one];
    const group = groups.get(`${severity} ${cause.key}`) ?? [];
    if (group.length < fewest) return [one];
    if (told.has(cause.key)) return [];
    told.add(cause.key);
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
