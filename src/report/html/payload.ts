/** What the head of a page is given, and what it tells of the run as a whole. */
export interface HeaderData {
  readonly command: string;
  readonly plan: string;
  readonly version: string;
  readonly run?: string;
  readonly source?: Port;
  readonly target?: Port;
  readonly tone: string;
  readonly headline: string;
  readonly cost: string;
  readonly next: readonly string[];
  readonly consequences: readonly { readonly text: string; readonly names: string }[];
  readonly deletes: string;
  readonly notes: readonly Note[];
  readonly details: readonly string[];
  readonly items: readonly Pick<Entry, "group">[];
}

/** What the page is given: text only, safe to show, in the view's order. The client adds nothing to it. */
export interface Payload extends HeaderData {
  readonly counts: readonly { readonly state: string; readonly label: string; readonly value: number }[];
  readonly kinds: readonly string[];
  readonly items: readonly Entry[];
  /** How many blocks beside this one hold what is inside of the entries; 0 where it is all here. */
  readonly chunks: number;
  /** What several of the items share. */
  readonly causes: readonly CauseEntry[];
  readonly graph: Graph;
}

/** The same as it is written: what is made of each change is made when it is its turn. */
export interface PageData extends Omit<Payload, "items"> {
  readonly items: Iterable<Entry>;
  /** What goes into the blocks beside the payload. */
  readonly bodies: Iterable<readonly Body[]>;
}

export interface CauseEntry {
  readonly state: string;
  readonly symbol: string;
  readonly summary: string;
  /** `214 objects blocked`. */
  readonly size: string;
  readonly detail?: string;
  readonly steps: readonly string[];
  readonly kinds: readonly {
    readonly kind: string;
    readonly count: number;
    readonly links: readonly Link[];
  }[];
}

export interface Port {
  readonly name: string;
  readonly tenant: string;
  readonly baseUrl: string;
}

export interface Entry {
  /** Its place in `items`: what links in the page refer to. */
  readonly at: number;
  readonly id: string;
  readonly group: "person" | "delete" | "change" | "create" | "known";
  /** The block that holds the rest of it; absent where it is all here. */
  readonly chunk?: number;
  /** How many fields it has, where they are in a block. */
  readonly size?: number;
  /** How many notes stand inside, and the weightiest of them; absent where nothing is said of it. */
  readonly said?: { readonly count: number; readonly severity: string };
  readonly state: string;
  readonly action: string;
  readonly symbol: string;
  readonly label: string;
  readonly kind: string;
  readonly name: string;
  readonly urn: string;
  readonly otherUrn?: string;
  readonly reason: string;
  readonly steps: readonly string[];
  readonly pulledInBy?: Link;
  readonly needs: readonly Link[];
  readonly neededBy: readonly Link[];
  readonly fields: readonly Field[];
  readonly notes: readonly Note[];
}

/** What is inside of an entry. */
export type Body = Pick<
  Entry,
  "otherUrn" | "steps" | "pulledInBy" | "needs" | "neededBy" | "fields" | "notes"
>;

/** `at` is absent when the other object is not among the changes. */
export interface Link {
  readonly text: string;
  readonly at?: number;
}

export interface Field {
  readonly path: string;
  /** As it was last applied, where that is known. */
  readonly base?: Value;
  readonly from?: Value;
  readonly to?: Value;
}

export interface Value {
  readonly text: string;
  /** Text that is shown as it is, not as JSON. */
  readonly plain: boolean;
  /** What a reference refers to. */
  readonly name?: string;
  /** That there was none is known; what nobody knows is no value at all. */
  readonly absent?: true;
}

export interface Note {
  readonly severity: string;
  readonly code: string;
  readonly text: string;
  readonly where?: string;
  readonly detail?: string;
  readonly step?: string;
}

export interface Graph {
  /** Nodes are kinds with their number of changes, because there are too many changes to draw. */
  readonly collapsed: boolean;
  readonly width: number;
  readonly height: number;
  /** Of every box. */
  readonly node: { readonly width: number; readonly height: number };
  readonly columns: readonly { readonly kind: string; readonly x: number }[];
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** What neither needs another one nor is needed. */
  readonly alone: number;
  /** Of that, what waits for a person or is known to stay as it is: these are no changes. */
  readonly aloneWaiting: number;
}

export interface GraphNode {
  readonly key: number;
  readonly x: number;
  readonly y: number;
  readonly kind: string;
  readonly text: string;
  readonly state: string;
  /** The change to go to; absent for a whole kind. */
  readonly at?: number;
}

/** From what is done first to what needs it, as keys of nodes. */
export interface GraphEdge {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly d: string;
}
