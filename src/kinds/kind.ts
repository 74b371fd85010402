import type { Json, JsonObject } from "../model/json.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Limits, Pairing, Plan, Policy } from "../model/plan.ts";
import type { Shape } from "../model/shape.ts";
import type { PlanSection } from "../plan/section.ts";
import type { ReadClient } from "../service/index.ts";
import type { Check } from "./contract/check.ts";
import type { Environment } from "./contract/environment.ts";
import type { Certain, ForeseenAt, Gathered } from "./contract/foreseen.ts";
import type { DraftWithin } from "./contract/draft-within.ts";
import type { Found, NotKnown, OnlySaid } from "./contract/found.ts";
import type { Misfit, ModelTypes, TypeOf } from "./contract/misfit.ts";
import type { GoingAlong, OthersReferring } from "./contract/others.ts";
import type { RowTable } from "./contract/records.ts";
import type { Action } from "./contract/action.ts";
import type { Evaluated } from "./contract/evaluated.ts";
import type { Step } from "./contract/step.ts";

export type { Check, CheckSide, CheckView, Held } from "./contract/check.ts";
export type { Environment } from "./contract/environment.ts";
export type { Certain, ForeseenAt, Gathered } from "./contract/foreseen.ts";
export type { GoingAlong, OthersReferring, OtherUser } from "./contract/others.ts";
export type { DraftWithin } from "./contract/draft-within.ts";
export type { Found, NotKnown, OnlySaid } from "./contract/found.ts";
export type { Misfit, ModelTypes, TypeOf } from "./contract/misfit.ts";
export type * from "./contract/records.ts";
export type { ServiceRun } from "./contract/action.ts";
export type { Step, Absent, Probed, StepItem, StepAnswer, FinalAnswer } from "./contract/step.ts";

/**
 * The contract between the engine and a kind: what a thing is, how it is recognised, read and written. The engine
 * knows nothing else about kinds, and a kind knows nothing about the engine or about other kinds.
 */
export type Kind = GivenKind | EntityKind | OverlayKind | LinkKind | RecordsKind | ActionKind;

/** Kinds that have objects of the source in the snapshot and writes of their own at the target. */
export type MovedKind = EntityKind | OverlayKind | LinkKind;

interface Common {
  /** Plural, as in plans, flags, files: `rules`. */
  readonly name: string;
  /** The plan's word when it covers several kinds: `monitors` means primary and other monitors alike. */
  readonly selectedAs: string;
  /** `<area>:<type>` of the URNs that name such a thing (document 1, "Conventions"). */
  readonly urnTypes: readonly string[];
  /** Which connection of an environment it speaks through; the platform when left out. */
  readonly service?: "platform" | "master-data";
  /** What the metadata model calls whatever has such a URN: `catalogItem`. */
  readonly modelType?: string;
  /** What it lets a person say in a plan; kinds that share a word share the setting. */
  readonly settings?: PlanSection;
}

// ---- given: exists on both sides, is paired, never written -------------------------------------------------

export interface GivenKind extends Common {
  readonly mode: "given";
  /** Given kinds whose twins must be known first. */
  readonly after: readonly string[];
  /**
   * Reads at the source the records that carry these URNs. More may come back, fewer when some do not exist; a list
   * that is refused is not known, and never an empty one.
   * `related` answers which URNs of another kind are wanted, so that attributes can be read item by item.
   */
  read(
    client: ReadClient,
    urns: ReadonlySet<string>,
    related: (kind: string) => ReadonlySet<string>,
  ): Promise<readonly Found[] | NotKnown>;
  /** Every one of them, page by page: only where nothing less will do. */
  all?(client: ReadClient): AsyncIterable<readonly Found[]>;
  /** Reads at the target whatever may be the twin of one of these records, as `read` does. */
  candidates(
    client: ReadClient,
    records: readonly Found[],
    context: PairingContext,
  ): Promise<readonly Found[] | NotKnown | OnlySaid>;
  /** Its reading begins while listings still run. */
  foresee?(at: ForeseenAt): Foreseen;
  /** A listing that is read anyway shows all of them (`Feed.shows`): nobody reads them a second time. */
  gather?(): Foreseen & Gathered;
  /** The natural keys of a source record in the target's words, the most trusted first. */
  sourceKeys(record: Found, context: PairingContext): readonly string[];
  targetKeys(record: Found): readonly string[];
  /** A key may fit that says nothing of what they stand in: whether they are two all the same. */
  isElsewhere?(source: Found, target: Found, context: PairingContext): boolean;
  /** Pairs of things inside a pair (the results of a dimension), with what is wrong about them. */
  parts?(
    source: Found,
    target: Found,
  ): { readonly pairs: readonly (readonly [string, string])[]; readonly problems: readonly PartProblem[] };
  /** The natural key part by part, in words, to tell what was looked for; without it the name is all of it. */
  traits?(record: Found, words: TraitWords): readonly Trait[];
  /** The target is asked for these names only: of what has another name there nothing is known. */
  readonly askedByName?: true;
  /** URN of the given thing it stands in: when that has no twin, neither has this. */
  partOf?(record: Found): string | undefined;
  /** What it is in a person's words, where a kind holds several sorts of things: what is of another sort is no twin of it. */
  sort?(record: Found): string;
  /** Why there may be no key to look for, where it is not for what it stands in. */
  readonly withoutKey?: string;
  /** The section of the plan (under `pairing`) that says which is which. */
  readonly pairedUnder?: "sources" | "connections" | "groups";
  /** What that section calls it, where that is not its name. */
  planWord?(record: Found): string;
  /** What a person can do when there is no twin. */
  readonly advice: string;
  /** The same beside a line for the plan: `or ...`. */
  readonly otherwise?: string;
  /** Each environment makes its own: one URN on both sides is one environment. Others may come with the product. */
  readonly madeInPlace?: true;
  /** Its URN types are not documented: it is asked for every reference that no other kind knows. */
  readonly discovers?: boolean;
  /** The plan lets a reference without a twin be left out. */
  mayDrop?(policy: Policy): boolean;
}

/**
 * A given kind whose reading at one side begins while listings still run: what is sure to be asked for in the end is
 * asked for as soon as that is known, and whoever reads the kind later gets what was begun.
 */
export interface Foreseen extends Pick<GivenKind, "read" | "candidates"> {
  /** Called whenever more is certain. A failure of what it begins is thrown to whoever reads the kind. */
  certain(now: Certain): void;
}

export interface PartProblem {
  /** URN of the part at the source: references to it are blocked. */
  readonly urn: string;
  readonly reason: string;
  readonly suggestion: string;
}

/** One part of a natural key, such as the path of a catalog item. */
export interface Trait {
  /** `source`, `path`, `name`. */
  readonly label: string;
  /** What it is there, or at the source. */
  readonly value: string;
  /** Of a source record: the target's words that fit, the most trusted first; none when anything does. */
  readonly fits: readonly string[];
  /** The section of the plan that translates it. */
  readonly under?: "sources" | "paths";
  /** What differs in it is never near: a column of another item is another column. */
  readonly always?: true;
}

export interface TraitWords {
  readonly pairing: Pairing;
  /** A path or name of the source after the plan's renames. */
  rename(text: string): string;
  /** The twin of a source URN, when one is known. */
  twin(urn: string): string | undefined;
  /** The name of a given thing of either side, as far as it was read. */
  nameOf(urn: string): string | undefined;
}

export interface PairingContext {
  readonly pairing: Pairing;
  /** The twin of a source URN, when one is known. */
  twin(urn: string): string | undefined;
  /** A path or name of the source after the plan's renames. */
  rename(text: string): string;
  /**
   * Whether what something stands in at the source, and has no twin, is surely not this one of the target: the plan says what its twin is,
   * or this one is the twin of another.
   */
  isOther?(urn: string, there: string): boolean;
  /** `urn` of the source with the target's tenant. */
  inTarget(urn: string): string;
}

// ---- what is moved -----------------------------------------------------------------------------------------

/** A listing that one or more kinds share: the monitors list holds primary and other monitors. */
export interface Feed {
  readonly name: string;
  /** The given kind whose things its pages show, every one of them. */
  readonly shows?: string;
  pages(client: ReadClient, context: FeedContext): AsyncIterable<readonly JsonObject[]>;
}

export interface FeedContext {
  /** The kinds that are listed: a listing that several share asks for what they need. */
  readonly kinds: ReadonlySet<string>;
  /** Reads given records by URN, in batches, each one once. */
  given(kind: string, urns: readonly string[]): Promise<ReadonlyMap<string, Found>>;
}

/** A snapshot's or a target's object before it belongs to a kind. */
export interface Listed {
  /** What the kind calls it when `body` has no urn of its own (links). */
  readonly urn: string;
  readonly name: string;
  readonly body: JsonObject;
  /** What its reader found out about it. */
  readonly meta?: JsonObject;
  /** Fields of what it lies over that no document names: they do not travel. */
  readonly unnamed?: readonly string[];
}

export interface Moved extends Common {
  /**
   * What a kind can only know of an environment once its metadata model was read is found out here, once for each
   * environment and before anything is listed: the same kind comes back, with that in it.
   */
  open?(on: Environment): Promise<MovedKind>;
  readonly shape: Shape;
  /** What of the kind hangs on its shape; without it that is the shape alone. */
  withShape?(shape: Shape): Partial<MovedKind>;
  readonly feed: Feed;
  /** Given kinds that the feed's records must be looked up in before they can be told apart. */
  readonly classifyBy?: { readonly kind: string; urn(body: JsonObject): string | undefined };
  /** What the metadata model calls this very thing. */
  typeOf?(body: JsonObject): string | undefined;
  /** The object that a listed body is, or undefined when it belongs to another kind of the same feed. */
  accept(body: JsonObject, given: (kind: string, urn: string) => Found | undefined): Listed | undefined;
  /**
   * Members of its memberwise fields that the environment it was opened for is asked for; undefined where that is not known
   * yet. What the model there does not name cannot be asked for: of that nothing is known.
   */
  asked?(): ReadonlySet<string> | undefined;
  /**
   * Reads the published version of one; undefined when it does not exist. `whole` is what is known of it, in the
   * words of the environment that is asked: at least the fields of `addressedBy`.
   */
  one?(client: ReadClient, urn: string, whole: JsonObject): Promise<JsonObject | undefined>;
  /**
   * Whether a draft is one that a patch opens. One that the web application opened to delete or restore the object
   * says the same as the published version, and publishing it does something else (document 2, "Monitor draft types").
   */
  isChangeDraft?(draft: JsonObject): boolean;
  /** Fields of the body without which no request can name the object: a monitor's path holds its catalog item. */
  readonly addressedBy?: readonly string[];
  /** More fields that are kept on record with each change: what tells of what type it was, when nothing else does any more. */
  readonly remembers?: readonly string[];
  /** Kinds whose objects this one refers to: they are listed when dependencies are included. */
  readonly refersTo: readonly string[];
  /** Kinds that a property may refer to where the metadata model says so: listed when something selected does. */
  readonly mayReferTo?: readonly string[];
  /**
   * What the target itself has laid into a body, and what breaks with what it refers to: a rule that a person linked to
   * a term is at work in every monitor of an attribute that has the term.
   */
  leansOn?(body: JsonObject): JsonObject;
  /** What refers to objects of this kind and belongs to no kind that is moved; looked for before one is deleted. */
  readonly othersReferring?: readonly OthersReferring[];
  /** Whoever refers to what goes with an object refers to the object. */
  readonly goingAlong?: GoingAlong;
  /** Other objects refer to its sub-entities (the inputs of a rule). */
  readonly ownsParts?: boolean;
  /**
   * A stripped body of the target as an earlier run may have known it, where something in it is worked out (by the metadata
   * model, by the plan) and not read: that another word comes of it now is nobody's change.
   */
  asKnownBefore?(body: JsonObject, typeOf: TypeOf): readonly JsonObject[];
  /** What of a translated body the environment that it is for has no place for: found out once, before any write. */
  misfits?(tree: JsonObject, types: ModelTypes): readonly Misfit[];
  /** What the target's metadata model lacks of what the kind may carry, found out without reading an object. */
  modelGaps?(source: ReadClient, target: ReadClient, plan: Plan): Promise<readonly Misfit[]>;
  /** A change that the service offers no way to make. */
  cannot?(patch: JsonObject): ByHand | undefined;
  /** What keeps an object from being moved at all, for a person to do by hand. */
  byHand?(body: JsonObject): ByHand | undefined;
  /** Why an object of the target cannot be compared, by its body as it is shown there. */
  hidden?(body: JsonObject): ByHand | undefined;
  /** What a translated body says of the source in texts of its own, in the target's words: by the plan's pairing alone. */
  reword?(tree: JsonObject): JsonObject;
  /** Last changes to a translated body before it is compared or sent, by policy; `target` is there on an update. */
  adapt?(tree: JsonObject, policy: Policy, target: JsonObject | undefined, types: ModelTypes): JsonObject;
  /** What a reviewer should know before this is created or changed. */
  remarks?(tree: JsonObject, policy: Policy, target: JsonObject | undefined): readonly Remark[];
  /** It says something that a check must know: it is read even when nothing that is selected refers to it. */
  isLookedInto?(body: JsonObject): boolean;
  /** What the kind has to say about all changes together; kinds that share a check share the object. */
  readonly checks?: readonly Check[];
  /** It is run and evaluated, and its results tell whether a moved one does the same as its original. */
  readonly evaluated?: Evaluated;
  /** undefined: the service offers no update. */
  readonly update: readonly [Step, ...Step[]] | undefined;
}

export type Remark = Omit<Diagnostic, "coordinate">;

export interface ByHand {
  /** `blocked` where a word in the plan is enough; otherwise a person does it at the target. */
  readonly action?: "manual" | "blocked";
  readonly code: Diagnostic["code"];
  readonly reason: string;
  readonly suggestion: string;
}

/** Created, then has an identity of its own. */
export interface EntityKind extends Moved {
  readonly mode: "entity";
  /** The natural key; URNs in it are translated before it is compared. */
  naturalKey(body: JsonObject): readonly Json[];
  /** Some have no name: their natural key holds all that they say. */
  readonly mayBeNameless?: true;
  /**
   * Where it stands, if only one may stand there at a time: the same text for the same place. `typeOf` is of the environment
   * that the body is of.
   */
  room?(body: JsonObject, typeOf: TypeOf): string | undefined;
  /** All but what it is called, where that does not stand in its field `name`. */
  withoutName?(body: JsonObject): JsonObject;
  readonly create: readonly [Step, ...Step[]];
  readonly remove: Step | undefined;
  /** An open draft at the target that somebody else left: its changes would be published with ours. */
  draft?(client: ReadClient, target: Found): Promise<JsonObject | undefined>;
  /** What somebody is at work on and would be deleted with it: the draft of a monitor that goes with its item. */
  readonly draftWithin?: (client: ReadClient, target: Found) => Promise<DraftWithin | undefined>;
  /** A create whose answer was lost leaves something that no list shows. */
  readonly hiddenWhenNew?: string;
  /** References of a type that no kind names may lead to its objects: their types are the model's, not ours. */
  readonly ownsOthers?: boolean;
  /** Whether the plan says what it takes to list them, where only a reference leads to one. */
  isListable?(plan: Plan): boolean;
  /**
   * The same kind, for which things like these are listed as well, where `feed` shows what the plan asks for alone: another plan, or this one
   * as it was, may have had to do with them. Undefined where no list of the environment shows all of them.
   */
  alsoOf?(bodies: readonly JsonObject[]): EntityKind | undefined;
  readonly births?: Births;
}

/**
 * Things that come into being with an object and without a request of their own: the attributes of an SQL item appear
 * some time after its creation. They are given things, looked for at the target once the object is there, and what
 * refers to them follows in the same run.
 */
export interface Births {
  /** Given kinds that stand in such an object (`partOf`). */
  readonly kinds: readonly string[];
  /** The given kind that others know the object itself as. */
  readonly as: string;
  /** Whether such a given thing is an object of this kind. */
  isOne(record: Found): boolean;
  /** What is there by now, in the object of this URN at the target. */
  read(client: ReadClient, urn: string): Promise<readonly Found[]>;
  /** Milliseconds that they are waited for. */
  patience(limits: Limits): number;
  /** Why there may be none, from the object at the target, or at the source where it is only just there; ends a sentence about it. */
  why(body: JsonObject, nameOf: (urn: string) => string): string;
}

/** What something is laid over: given things, or moved ones that may be created by the same run. */
export interface Over {
  readonly kinds: readonly string[];
  urn(body: JsonObject): string | undefined;
}

/** Fields laid over something else; its twin is found through that. */
export interface OverlayKind extends Moved {
  readonly mode: "overlay";
  readonly over: Over;
  /** The overlay's own URN, from the record of what it lies over. One that has none goes by the URN of that. */
  locate?(given: Found): string | undefined;
  /** What it is called, before it is read. */
  called?(given: Found): string;
  /** The feed lists what it could lie over, too: of one that says nothing nobody has to know, unless it said something before. */
  readonly canBeSilent?: true;
  /** What both sides say of it when they are first brought together is nobody's to overwrite: a conflict. */
  readonly clashes?: true;
  /** Reads one that the feed does not list. */
  fetch?(client: ReadClient, given: Found): Promise<JsonObject | undefined>;
  readonly update: readonly [Step, ...Step[]];
  draft?(client: ReadClient, target: Found): Promise<JsonObject | undefined>;
}

/** Relations between two things, added and never taken away. */
export interface LinkKind extends Moved {
  readonly mode: "link";
  readonly over: Over;
  /** The part of `tree` that the target lacks; undefined when nothing is missing. */
  missing(tree: JsonObject, target: JsonObject): JsonObject | undefined;
  /**
   * Whether the target has all of `body` in a way that the list of this kind does not show, since it is the service's own doing: what is
   * added to that may stay what it is.
   */
  hasOtherwise?(client: ReadClient, target: string, body: JsonObject): Promise<boolean>;
  readonly update: readonly [Step, ...Step[]];
}

/** Rows with a business key: they stream, and are never objects in memory (`contract/records.ts`). */
export interface RecordsKind extends Common {
  readonly mode: "records";
  /** What the plan names of it. */
  tables(plan: Plan): readonly RowTable[];
}

/** Done and awaited, never diffed: a run of the service (document 2, "Processing"). */
export interface ActionKind extends Common, Action {
  readonly mode: "action";
}
