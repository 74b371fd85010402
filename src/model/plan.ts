/**
 * What a plan says, after defaults. What a kind lets a plan say is merged into these interfaces by
 * the kind's own file, beside the schema of it.
 */
export interface Plan {
  /** From the file's name: names the working folder. */
  readonly name: string;
  readonly source: PlanEnvironment;
  readonly target: PlanEnvironment & { readonly confirm?: string };
  readonly select: Selection;
  readonly pairing: Pairing;
  readonly policy: Policy;
  readonly limits: Limits;
  /** What a person knows of and accepts. */
  readonly acknowledged?: readonly Acknowledged[];
}

export interface PlanEnvironment {
  readonly name: string;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly realm: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly masterData?: MasterDataAccess;
}

/** The master-data server of an environment: another address, another way to sign in. */
export interface MasterDataAccess {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
}

/** What of a plan must never be shown or kept, in every form in which it travels. */
export function planSecrets({ source, target }: Pick<Plan, "source" | "target">): readonly string[] {
  return [source, target].flatMap(({ clientSecret, masterData }) =>
    masterData === undefined
      ? [clientSecret]
      : [clientSecret, masterData.password, `${masterData.username}:${masterData.password}`],
  );
}

export interface Selector {
  readonly kind?: string;
  /** A glob: `*` any run of characters, `?` one. */
  readonly name?: string;
  readonly urns?: readonly string[];
  /** It is for all kinds, and a flag leaves some of them out: that it matches nothing is no mistake. */
  readonly mayBeIdle?: true;
}

/** One thing, or several of a kind by name, that would wait for a person in every run. */
export interface Acknowledged {
  /** In the plan's words. */
  readonly kind: string;
  /** A glob, as in selectors. */
  readonly name?: string;
  readonly urn?: string;
  readonly reason: string;
  /** The last day on which it holds: `2027-03-31`. */
  readonly until?: string;
  /** Of what was acknowledged (`ferry ack`): without one whatever is told of the object is accepted. */
  readonly print?: string;
}

export interface Selection {
  readonly kinds: readonly string[];
  readonly include: readonly Selector[];
  readonly exclude: readonly Selector[];
  readonly dependencies: "include" | "mapped-only";
}

/** Empty here: what is paired, and how a plan says so, stands with the kinds. */
export interface Pairing {}

/** The engine's own; those of the kinds stand with them, as do their words in a plan. */
export interface Policy {
  readonly adopt: "identical" | "by-name" | "never";
  readonly drift: "report" | "overwrite";
  readonly conflict: "report" | "source-wins" | "merge";
  readonly missingTarget: "report" | "recreate";
  readonly targetOnly: "keep" | "remove";
  /** For kinds without an update: `manual` says what to do by hand, `allow` creates anew beside the old one. */
  readonly replace: "manual" | "allow";
  /** By kind, fields that the service fills itself: neither compared nor sent. Names, or pointers as in a `Shape`. */
  readonly ignoreFields: Readonly<Record<string, readonly string[]>>;
}

export interface Limits {
  readonly concurrency: number;
  readonly requestTimeoutMs: number;
  readonly quietPeriodMs: number;
  /** No answer is read beyond it, packed or unpacked. */
  readonly answerSizeBytes: number;
}
