import type { HandWork, Row } from "../../kinds/kind.ts";
import type { RowLine } from "./line.ts";

/** What belongs to a row of the source, is not at the target, and no request brings there: it is told with the row. */
export function withHandWork(
  line: Omit<RowLine, "key">,
  source: Pick<Row, "byHand">,
  target: Pick<Row, "byHand"> | undefined,
): Omit<RowLine, "key"> {
  if (source.byHand === undefined) return line;
  const isWriting = line.action === "create" || line.action === "update";
  if (!isWriting && line.action !== "unchanged") return line;
  const sameOf = ({ what, same = what }: HandWork): string => same;
  const there = new Set(target?.byHand?.map(sameOf));
  const left = source.byHand.filter(
    (work) => !there.has(sameOf(work)) && !(line.action === "create" && work.comesWithCreation === true),
  );
  if (left.length === 0) return line;
  const reason = `no request brings over ${left.map(({ what }) => what).join(", ")}: a person has to`;
  return { ...line, ...(isWriting ? {} : { action: "manual" as const }), reason };
}
