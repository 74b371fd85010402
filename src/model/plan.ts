/** What a plan says, after defaults (DESIGN, section 7). */
export interface Plan {
  /** From the file's name: names the working folder. */
  readonly name: string;
  readonly source: PlanEnvironment;
  readonly target: PlanEnvironment & { readonly confirm?: string };
  readonly select: Selection;
  readonly pairing: Pairing;
  readonly policy: Policy;
  readonly limits: Limits;
}

export interface PlanEnvironment {
  readonly name: string;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly realm: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Selector {
  readonly kind?: string;
  /** A glob: `*` any run of characters, `?` one. */
  readonly name?: string;
  readonly urns?: readonly string[];
  /** It is for all kinds, and a flag leaves some of them out: that it matches nothing is no mistake. */
  readonly mayBeIdle?: true;
}

export interface Selection {
  readonly kinds: readonly string[];
  readonly include: readonly Selector[];
  readonly exclude: readonly Selector[];
  readonly dependencies: "include" | "mapped-only";
}

export interface Pairing {
  readonly sources: Readonly<Record<string, string>>;
  readonly connections: Readonly<Record<string, string>>;
  readonly paths: readonly { readonly pattern: string; readonly replace: string }[];
  /** UUID to UUID. */
  readonly groups: Readonly<Record<string, string>>;
}

export interface Policy {
  readonly adopt: "identical" | "by-name" | "never";
  readonly drift: "report" | "overwrite";
  readonly conflict: "report" | "source-wins";
  readonly missingTarget: "report" | "recreate";
  readonly schedules: "keep" | "disable";
  readonly targetOnly: "keep" | "remove";
  readonly missingGroup: "block" | "drop";
  /** For kinds without an update: `manual` says what to do by hand, `allow` creates anew beside the old one. */
  readonly replace: "manual" | "allow";
  /** `done` once a person has linked the rules to the terms in the web application. */
  readonly termLinks: "pending" | "done";
}

export interface Limits {
  readonly concurrency: number;
  readonly requestTimeoutMs: number;
  readonly quietPeriodMs: number;
  /** No answer is read beyond it, packed or unpacked. */
  readonly answerSizeBytes: number;
}
