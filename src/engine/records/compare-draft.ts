import type { Row, RowPage } from "../../kinds/kind.ts";
import { digest } from "../../model/canonical.ts";
import type { RowsDraft } from "../../store/index.ts";
import type { TableDiff } from "./tally.ts";

/** How far a comparison has come. */
export interface ComparedPages {
  /** Where the last page that is in it begins. */
  readonly from: string;
  /** Which rows that page had. */
  readonly page: string;
  readonly tally: Omit<TableDiff, "gone">;
}

/** A comparison that is kept while it is made. */
export interface CompareDraft {
  readonly rows: RowsDraft;
  /** What a run before has come to. */
  readonly begun?: ComparedPages;
  /** Now and then it is worth the disk. */
  isDue(): boolean;
  keep(pages: ComparedPages): Promise<void>;
}

/**
 * The source shows other rows where the comparison had come to: pages have shifted, and whoever went on would leave out a
 * row or have one twice.
 */
export class PagesMoved extends Error {
  override readonly name = "PagesMoved";
}

/** Which rows these are, whatever they say. */
export function pageDigest(rows: readonly Row[]): string {
  return digest(JSON.stringify(rows.map(({ key, name, address }) => [key, name, address])));
}

/** What comes behind the page that was compared last, which has to be there as it was. */
export async function* behind(
  pages: AsyncIterable<RowPage>,
  begun: ComparedPages | undefined,
): AsyncGenerator<RowPage, void, undefined> {
  let isFirst = begun !== undefined;
  for await (const page of pages) {
    if (isFirst && pageDigest(page.rows) !== begun?.page) throw new PagesMoved();
    if (!isFirst) yield page;
    isFirst = false;
  }
  // Not even that page is there any more.
  if (isFirst) throw new PagesMoved();
}
