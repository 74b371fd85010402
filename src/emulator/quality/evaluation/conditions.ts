import type { Json } from "../../json.ts";
import { share } from "./table.ts";

type Cells = ReadonlyMap<string, Json>;

const atom = /^(?:(\w+) is (not )?null|trim\((\w+)\) = '')$/;

/**
 * Whether a condition holds for a row. What asks for empty cells is evaluated; any other expression holds for a share
 * of the rows that follows from its text and the values of the parameters, and for the rows that their cells decide:
 * equal rules over equal data give equal results, and any change gives others.
 */
export function holds(expression: string, parameters: string, cells: Cells): boolean {
  const known = ofNulls(expression, cells);
  if (known !== undefined) return known;
  const logic = `${expression}|${parameters}`;
  const rate = 0.005 + share(`rate ${logic}`) * 0.11;
  const row = [...cells].map(([input, value]) => `${input}=${JSON.stringify(value)}`).join("|");
  return share(`${logic}|${row}`) < rate;
}

/** Tests for empty cells, all joined by the same word; undefined for anything else. */
function ofNulls(expression: string, cells: Cells): boolean | undefined {
  for (const word of [" and ", " or "]) {
    const atoms = expression.split(word).map((part) => atom.exec(part.trim()));
    if (!atoms.every((found) => found !== null)) continue;
    const values = atoms.map(([, input, not, trimmed]) => {
      const value = cells.get(input ?? trimmed ?? "") ?? null;
      if (input === undefined) return value === "";
      return (value === null) !== (not !== undefined);
    });
    return word === " and " ? values.every(Boolean) : values.some(Boolean);
  }
  return undefined;
}
