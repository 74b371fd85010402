/** UTF-8 bytes: what a host counts when it limits a comment. */
export function bytes(text: string): number {
  return Buffer.byteLength(text);
}

export interface Sized {
  readonly short: string;
  readonly full: string;
}

/** How many entries of a group are shown, and which of them in full. */
export interface Share {
  readonly shown: number;
  readonly full: ReadonlySet<number>;
}

export interface Shares {
  readonly shares: readonly Share[];
  readonly left: number;
}

/** Of lists that are too long, so much goes into one-line entries before anything is shown in full. */
const forLines = 0.6;

/**
 * Shares `room` bytes among groups, the most important first. A group loses its tail, and the details of its
 * entries, before a more important one loses anything of the kind.
 */
export function share(groups: readonly (readonly Sized[])[], room: number): Shares {
  const shown = groups.map(() => 0);
  const full = groups.map(() => new Set<number>());
  let left = room;

  function addLines(keep: number): void {
    for (const [group, entries] of groups.entries()) {
      for (const entry of entries.values().drop(shown[group] ?? 0)) {
        if (left - bytes(entry.short) < keep) break;
        left -= bytes(entry.short);
        shown[group] = (shown[group] ?? 0) + 1;
      }
    }
  }

  function addDetails(): void {
    for (const [group, entries] of groups.entries()) {
      for (const [index, entry] of entries.slice(0, shown[group]).entries()) {
        const more = bytes(entry.full) - bytes(entry.short);
        if (more > left) continue;
        left -= more;
        full[group]?.add(index);
      }
    }
  }

  addLines(room * (1 - forLines));
  addDetails();
  addLines(0);
  return {
    shares: groups.map((_, group) => ({ shown: shown[group] ?? 0, full: full[group] ?? new Set() })),
    left,
  };
}
