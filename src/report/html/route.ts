/** Sizes of the picture, so that what is drawn between the boxes knows where they are. */
export const nodeWidth = 190;
export const nodeHeight = 28;
export const rowGap = 10;
export const top = 34;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Its boxes stand one under another, from the top. */
export interface Column {
  readonly x: number;
  readonly rows: number;
}

const step = nodeHeight + rowGap;
/** Where an edge turns beside a column that it passes. */
const clear = 8;

/**
 * An edge from one box to another. It crosses the columns between them in the gaps of their boxes: one that runs
 * behind a box looks as if it led there. Within a column it goes around the left side.
 */
export function route(a: Place, b: Place, between: readonly Column[], number: number): string {
  const [y1, y2] = [a.y + nodeHeight / 2, b.y + nodeHeight / 2];
  if (a.x === b.x && a.y === b.y)
    return `M${a.x} ${y1 - 6}C${a.x - 26} ${y1 - 14} ${a.x - 26} ${y1 + 14} ${a.x - 4} ${y1 + 6}`;
  if (a.x === b.x) return `M${a.x} ${y1}C${a.x - 22} ${y1} ${a.x - 22} ${y2} ${b.x - 5} ${y2}`;
  const isForward = b.x > a.x;
  const [near, far] = isForward ? [-clear, nodeWidth + clear] : [nodeWidth + clear, -clear];
  let at: Place = { x: isForward ? a.x + nodeWidth : a.x, y: y1 };
  let path = `M${at.x} ${at.y}`;
  const bend = (to: Place): void => {
    const middle = (at.x + to.x) / 2;
    path += `C${middle} ${at.y} ${middle} ${to.y} ${to.x} ${to.y}`;
    at = to;
  };
  for (const { x, rows } of between) {
    const straight = y1 + ((y2 - y1) * (x - a.x)) / (b.x - a.x);
    const y = freeAt(straight, rows, number);
    bend({ x: x + near, y });
    path += `H${x + far}`;
    at = { x: x + far, y };
  }
  bend({ x: isForward ? b.x - 5 : b.x + nodeWidth + 5, y: y2 });
  return path;
}

/** The nearest height at which no box of the column stands; edges that share a gap lie a little apart. */
function freeAt(y: number, rows: number, number: number): number {
  const first = top - rowGap / 2;
  if (y > first + rows * step) return y;
  const gap = Math.min(rows, Math.max(0, Math.round((y - first) / step)));
  return first + gap * step + ((number % 3) - 1) * 3;
}
