/**
 * Which words of two texts differ. Everything under `client/` runs in the page: each function is written into
 * it as source text, so it may use nothing from outside of itself but types.
 */
export interface Part {
  readonly text: string;
  readonly same: boolean;
}

export interface Words {
  diff(before: string, after: string): { readonly before: readonly Part[]; readonly after: readonly Part[] };
}

export function words(): Words {
  const token = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;
  /** The table of the longest common subsequence; beyond it the middle counts as changed. */
  const mostCells = 1_000_000;

  function split(text: string): readonly string[] {
    return text.match(token) ?? [];
  }

  function diff(before: string, after: string): ReturnType<Words["diff"]> {
    const a = split(before);
    const b = split(after);
    let start = 0;
    while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
    let end = 0;
    while (
      end < a.length - start &&
      end < b.length - start &&
      a[a.length - 1 - end] === b[b.length - 1 - end]
    )
      end += 1;
    const [middleA, middleB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
    const [keptA, keptB] = common(middleA, middleB);
    return {
      before: parts(a, (index) => index < start || index >= a.length - end || keptA.has(index - start)),
      after: parts(b, (index) => index < start || index >= b.length - end || keptB.has(index - start)),
    };
  }

  /** Indexes that both have, in order. */
  function common(a: readonly string[], b: readonly string[]): [ReadonlySet<number>, ReadonlySet<number>] {
    const [inA, inB] = [new Set<number>(), new Set<number>()];
    if (a.length * b.length > mostCells) return [inA, inB];
    const width = b.length + 1;
    const table = new Uint16Array((a.length + 1) * width);
    const at = (i: number, j: number): number => table[i * width + j] ?? 0;
    for (let i = a.length - 1; i >= 0; i -= 1) {
      for (let j = b.length - 1; j >= 0; j -= 1) {
        table[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
      }
    }
    for (let i = 0, j = 0; i < a.length && j < b.length;) {
      if (a[i] === b[j]) {
        inA.add(i);
        inB.add(j);
        i += 1;
        j += 1;
      } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
      else j += 1;
    }
    return [inA, inB];
  }

  function parts(tokens: readonly string[], isSame: (index: number) => boolean): readonly Part[] {
    const found: { text: string; same: boolean }[] = [];
    for (const [index, text] of tokens.entries()) {
      const same = isSame(index);
      const last = found.at(-1);
      if (last?.same === same) last.text += text;
      else found.push({ text, same });
    }
    return found;
  }

  return { diff };
}
