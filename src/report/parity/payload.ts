import type { HeaderData } from "../html/payload.ts";

/** What the page is given: text only, safe to show. The client adds nothing to it. */
export interface ParityPayload extends HeaderData {
  readonly outcomes: readonly { readonly outcome: string; readonly title: string; readonly value: number }[];
  readonly kinds: readonly string[];
  /** What differs most goes first. */
  readonly pairs: readonly PairEntry[];
}

export interface PairEntry {
  /** Its place in `pairs`. */
  readonly at: number;
  readonly outcome: string;
  readonly label: string;
  readonly kind: string;
  readonly name: string;
  readonly urns: readonly string[];
  readonly reason: string;
  /** Points of per cent; 0 where nothing is compared. */
  readonly size: number;
  readonly sizeText: string;
  readonly bars: BarPair;
  readonly dimensions: readonly BarRow[];
  readonly attributes: readonly BarRow[];
  readonly instances: readonly InstanceEntry[];
  readonly findings: readonly FactEntry[];
  readonly notes: readonly string[];
  readonly samples?: SampleTable;
  readonly trend?: { readonly source: readonly Point[]; readonly target: readonly Point[] };
}

export interface Bar {
  /** 0 to 100; absent where a side has none. */
  readonly percent?: number;
  readonly text: string;
  /** `260 of 262`. */
  readonly records: string;
}

export interface BarPair {
  readonly source: Bar;
  readonly target: Bar;
}

export interface BarRow {
  readonly name: string;
  readonly bars: BarPair;
  /** `8.1 points`; empty where they are the same. */
  readonly by: string;
}

export interface InstanceEntry extends BarRow {
  /** Rule, terms, columns. */
  readonly about: string;
  readonly differs: boolean;
  readonly facts: readonly FactEntry[];
}

export interface FactEntry {
  readonly label: string;
  readonly source: string;
  readonly target: string;
}

export interface SampleTable {
  readonly columns: readonly string[];
  readonly hidden: readonly string[];
  readonly rows: readonly {
    readonly side: string;
    readonly cells: readonly string[];
    readonly invalid: string;
  }[];
}

export interface Point {
  readonly at: string;
  readonly percent: number;
}
