import { hidesDraftsOfRules, opened, wordsOfLacks } from "./openings.ts";
import type { WorldOptions } from "../support/world.ts";
import type { LogEntry, Tenant } from "../../src/emulator/index.ts";
import { asText, type JsonObject } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import { Problem } from "../../src/emulator/problem.ts";
import { uuidOf } from "../../src/model/urn.ts";
import type { Policy } from "../../src/model/plan.ts";
import type { Result } from "../../src/model/result.ts";
import type { Migration } from "../../src/operations/migration.ts";
import { readState } from "../../src/operations/state.ts";
import type { State } from "../../src/operations/state.ts";
import type { Disk } from "../../src/store/index.ts";
import type { Given } from "../properties/estates/given.ts";
import { seedGiven } from "../properties/estates/given.ts";
import { Seeding } from "../properties/estates/seeding.ts";
import type { PlanChanges } from "../support/plan.ts";
import { Accounts } from "./accounts.ts";
import { type BookKind, Books } from "./books.ts";
import { Colleague } from "./colleague.ts";
import type { Invariant, Under } from "./breach.ts";
import { Judge } from "./judge.ts";
import { entityTypes } from "./kinds/entities.ts";
import { idOf, plainKind, plainKinds } from "./kinds/index.ts";
import type { SimulatedKind } from "./kinds/kind.ts";
import { withSqlItems } from "./kinds/with-sql-items.ts";
import { rename } from "./unpaired-group.ts";
import { carry } from "./machinery/carry.ts";
import type { Machine } from "./machinery/simulation.ts";
import { judgeRecords } from "./recorded.ts";
import type { Records } from "./records.ts";
import { Masters } from "./masters.ts";
import { Rows } from "./rows.ts";
import { Runs, workflowMs } from "./runs.ts";
import { flagged, type Pointed } from "./flags.ts";
import { narrowed } from "./selected.ts";
import type { Act, Step, Story } from "./story.ts";
import { here, SimulatedWorld } from "./world.ts";

/** One pair of the mapping, as it stands on disk. */
export interface Pair {
  readonly kind: string;
  readonly source: string;
  readonly target: string;
  readonly keys: Readonly<Record<string, string>>;
  /** What the tool has written down of the target. */
  readonly print?: string | undefined;
}

/** What a step says of its plan. */
type Planned = Pick<Step, "policy" | "selecting" | "isOfSecond">;

/** What the plan of the second of two teams is called. */
const otherTeam = "others";

/** How a story is played: what is not looked for, and what a test breaks of the tool to see whether it is found out. */
export interface Staging {
  readonly except?: ReadonlySet<Invariant>;
  readonly migration?: WorldOptions;
  /** What the plan says, while the judge goes by the story. */
  readonly policy?: Partial<Policy>;
  readonly result?: (result: Result) => Result;
  /** Done over the wire, as far as the books can tell. */
  readonly during?: (scene: Scene) => void;
}

/** Where a story takes place: two environments, the books on both, a colleague and the plan. */
export class Scene {
  readonly world: SimulatedWorld;
  readonly given: { readonly source: Given; readonly target: Given };
  readonly books: Books;
  readonly accounts: Accounts;
  readonly judge: Judge;
  readonly colleague: Colleague;
  readonly story: Story;
  /** What happened, line by line, for people. */
  readonly told: string[] = [];

  /** That the plan moves with the rest, by the acts of colleagues on them. */
  readonly records: ReadonlyMap<Act["kind"], Records>;
  readonly staging: Staging;
  /** What commands that are over were about, by the process that ran them: what they sent may still arrive. */
  readonly over = new Map<Machine, Under>();
  /** By source: the twins that it had after some command, whether the mapping knows of them still or not; the last one goes last. */
  readonly twins = new Map<string, ReadonlySet<string>>();
  /** By target: its print after the last command. */
  readonly prints = new Map<string, string | undefined>();
  /** The last command was given by the second of two teams. */
  isOfSecond = false;
  /** What a process had sent, and the target was at work on, when it was cut off last. */
  sent: LogEntry | undefined;
  #state: State | undefined;
  #mayBeOld = true;
  /** What the state was read from: paths, each with its content. */
  #held: readonly (string | Buffer)[] = [];

  constructor(story: Story, staging: Staging = {}) {
    const made = new SimulatedWorld(story.seed, story.masters !== undefined);
    this.story = story;
    this.staging = staging;
    this.world = made;
    const { emulator } = made;
    const [source, target] = [emulator.tenant("dev"), emulator.tenant("prod")];
    this.given = {
      source: withSqlItems(seedGiven(source, false), source),
      target: withSqlItems(seedGiven(target, true), target),
    };
    for (const kind of plainKinds) {
      if (story.kinds?.includes(kind.name) !== true) continue;
      kind.prepare?.(target, this.given.target);
      kind.prepare?.(source, this.given.source);
    }
    const { unpairedGroup } = story;
    if (unpairedGroup !== undefined) rename(target, this.given.target.all.get(unpairedGroup));
    const seedPlain = (kinds: readonly SimulatedKind[]): void => {
      for (const kind of kinds) {
        const plans = story.plain?.[kind.name];
        kind.seed(target, this.given.target, plans?.there ?? []);
        kind.seed(source, this.given.source, plans?.here ?? []);
      }
    };
    // Monitors lie over SQL items, and words and stewards over what there is of all else.
    const first = plainKinds.filter(({ name }) => name === "folders" || name === "sql-items");
    seedPlain(first);
    new Seeding(target, this.given.target).estate(story.there);
    const seeding = new Seeding(source, this.given.source);
    seeding.estate(story.estate);
    seedPlain(plainKinds.filter((kind) => !first.includes(kind)));
    for (const { item, attribute, term } of story.assignments) {
      const termUrn = seeding.terms[term % Math.max(1, seeding.terms.length)];
      if (termUrn === undefined) continue;
      seed.seedAssignment(source, { attributeUrn: this.given.source.attribute(item, attribute), termUrn });
    }
    if (story.isDeep === true) deepen(source);
    if (story.hidesPrimaries === true)
      for (const tenant of [source, target]) tenant.quirks.listsPrimaries = false;
    opened(story.openings ?? {}, [source, target]);
    const flowKeys = story.runs === undefined ? undefined : Runs.prepare(target, this.given.target);
    made.isOne = story.isOne === true;
    this.books = new Books(emulator);
    this.accounts = new Accounts(this.books);
    this.judge = new Judge(this.books, this.accounts, staging.except);
    this.colleague = new Colleague(this.books, this.accounts, this.given);
    this.judge.otherwise = (side) => this.colleague.otherwise(side);
    const { simulation } = made;
    this.judge.sentUnder = () => this.over.get(simulation.sender ?? made.observer) ?? this.judge.under;
    this.judge.unheard = made.network.unheard;
    made.network.mayBeNamed = (urn) => {
      const { madeBy, madeAt = 0 } = this.accounts.account(urn) ?? {};
      return madeBy !== "colleague" || madeAt < (this.judge.under?.began ?? 0);
    };
    made.network.onRefusedLie = (content) => {
      for (const [urn] of content.matchAll(/urn:data:prod:[a-z-]+:[a-z-]+:[0-9a-f-]{36}/g))
        this.judge.disowned.add(urn);
    };
    const { table, masters, runs, removes = false } = story;
    this.records = new Map<Act["kind"], Records>([
      ...(table === undefined ? [] : [["rows", new Rows(this, table, removes)] as const]),
      ...(masters === undefined ? [] : [["masters", new Masters(this, masters, removes)] as const]),
      ...(runs === undefined || flowKeys === undefined
        ? []
        : [["runs", new Runs(this, runs, flowKeys)] as const]),
    ]);
    this.books.open();
    const { lacks } = story.openings ?? {};
    if (lacks !== undefined) this.say(wordsOfLacks(lacks));
    if (story.openings?.keepsCapitals === true) this.say("the target begins each description with a capital");
    this.judge.hidesDraftsOfRules = hidesDraftsOfRules(story.openings);
    judgeRecords(this);
  }

  /** The group that has no pair, at the source. */
  get unpairedGroup(): string | undefined {
    const { unpairedGroup } = this.story;
    return unpairedGroup === undefined ? undefined : this.given.source.all.get(unpairedGroup);
  }

  hadTwin(source: string, target: string): void {
    const before = [...(this.twins.get(source) ?? [])].filter((twin) => twin !== target);
    this.twins.set(source, new Set([...before, target]));
  }

  /** That of a team, with what a step says otherwise. */
  plan({ policy, selecting = {}, isOfSecond }: Planned = { policy: {} }): PlanChanges {
    const { teams } = this.story;
    const whole = this.#whole(isOfSecond === true ? { ...teams?.policy, ...policy } : policy);
    if (teams === undefined) return narrowed(whole, selecting);
    const { flows: _ofFirst, ...plan } = narrowed(whole, isOfSecond === true ? teams.second : teams.first);
    const { flows } = whole;
    const own: PlanChanges =
      isOfSecond === true
        ? { ...plan, name: otherTeam }
        : { ...plan, ...(flows === undefined ? {} : { flows }) };
    const less = narrowed(own, selecting);
    return less.select?.kinds?.length === 0 ? own : less;
  }

  #whole(policy: Partial<Policy>): PlanChanges {
    const { links, concurrency } = this.story;
    const groups = Object.fromEntries(
      [...this.given.source.all].flatMap(([name, urn]) => {
        const isPaired = name.startsWith("group") && name !== this.story.unpairedGroup;
        const twin = isPaired ? this.given.target.all.get(name) : undefined;
        return twin === undefined ? [] : [[uuidOf(urn), uuidOf(twin)]];
      }),
    );
    const { kinds: selected = ["terms", "rules", "monitors", "dashboards"] } = this.story;
    const { table, masters, runs, removes = false } = this.story;
    const moved = [
      ...(table === undefined ? [] : ["reference-data"]),
      ...(masters === undefined ? [] : ["master-data"]),
    ];
    const records = {
      referenceData: table === undefined ? [] : Rows.plan(table),
      masterData: masters === undefined ? [] : Masters.plan(masters),
      remove: removes,
    } as unknown as NonNullable<PlanChanges["records"]>;
    const kinds = [...selected, ...moved, ...(links ? ["term-assignments"] : [])];
    return {
      policy: { ...this.story.policy, ...policy },
      pairing: { sources: {}, connections: {}, paths: [], groups },
      select: { kinds, ...(kinds.includes("entities") ? { entityTypes } : {}) },
      ...(moved.length === 0 ? {} : { records }),
      ...(runs === undefined ? {} : { flows: Runs.flows(runs) }),
      limits: {
        concurrency,
        quietPeriodMs: 90_000,
        requestTimeoutMs: 60_000,
        ...(runs === undefined ? {} : { workflowMs }),
      },
    };
  }

  /** What the plan of a team moves by itself, and not only where something else refers to it. */
  isSelected(kind: BookKind, isOfSecond = false): boolean {
    const { kinds, teams } = this.story;
    if (kinds === undefined) return plainKind(kind) === undefined;
    const { without = [] } = (isOfSecond ? teams?.second : teams?.first) ?? {};
    const selectedAs = kind === "primary-monitors" ? "monitors" : kind;
    return kinds.includes(selectedAs) && !without.includes(selectedAs);
  }

  /** A step moves less than the story does. */
  isNarrowed({ selecting, flags, isOfSecond }: Step): boolean {
    const { teams } = this.story;
    const ofTeam = (isOfSecond === true ? teams?.second : teams?.first) ?? {};
    return selecting !== undefined || flags !== undefined || Object.keys(ofTeam).length > 0;
  }

  /** By what the plan says in that step, which is all that the story says where nothing is said. */
  migration(
    disk: Disk,
    { command, flags, ...planned }: Planned & Partial<Pick<Step, "command" | "flags">> = { policy: {} },
    options: WorldOptions = {},
    root: string = here,
  ): Migration {
    const { policy: other, migration } = this.staging;
    const changes = this.plan({ ...planned, policy: { ...planned.policy, ...other } });
    const whole = this.world.plan(changes);
    const { plan, ...more } =
      flags === undefined || command === undefined
        ? { plan: whole }
        : flagged(whole, flags, command.does, (kinds) => this.#at(kinds));
    return this.world.migration(disk, changes, { ...options, ...more, ...migration }, plan, root);
  }

  /** What the source has of these kinds, and has a name. */
  #at(kinds: readonly string[]): readonly Pointed[] {
    return [...this.books.published("source")].flatMap(({ kind, urn, body }) => {
      const selectedAs = kind === "primary-monitors" ? "monitors" : kind;
      const name = asText(body["name"]);
      return name !== "" && kinds.includes(selectedAs) ? [{ selectedAs, urn, name }] : [];
    });
  }

  /** What is committed of the mapping, an interrupted run's journal with it, goes from one machine to the other. */
  carry(from: string, to: string): void {
    const pair = "mappings/dev--prod";
    carry(this.world.media, `${from}/${pair}`, `${to}/${pair}`, (name) => !ofOneMachine.has(name));
    this.forget();
  }

  /** One operation of a process of its own, on a quiet day. */
  async quietly<T>(work: (migration: Migration) => Promise<T>): Promise<T> {
    const { world } = this;
    const machine = world.machine();
    const { isOfSecond } = this;
    const planned: Planned = { policy: {}, ...(isOfSecond ? { isOfSecond } : {}) };
    const migration = this.migration(
      world.disk(machine, [], () => undefined),
      planned,
    );
    const end = await world.simulation.run(machine, async () => {
      try {
        return await work(migration);
      } finally {
        await migration.close();
      }
    });
    if (end.how === "done") return end.value;
    throw end.how === "failed" ? end.error : new Error(`a quiet operation ${end.how}`);
  }

  /** Some plan of this story says so. */
  everSays<K extends keyof Policy>(name: K, value: Policy[K]): boolean {
    return this.policies.some((said) => said[name] === value);
  }

  /** What any plan of this story says. */
  get policies(): readonly Partial<Policy>[] {
    const { policy, steps, calm, teams } = this.story;
    return [
      policy,
      calm,
      ...(teams === undefined ? [] : [teams.policy]),
      ...steps.map((step) => step.policy),
    ];
  }

  /** Whether its twin may rightly say something else than it does. */
  isKept({ target }: Pair): boolean {
    const isMerged = this.everSays("conflict", "merge") && this.accounts.account(target)?.isTouched === true;
    return isMerged || this.judge.isKept(target);
  }

  get approved(): string {
    return "/work/approved.json";
  }

  /** What stands on disk; read once after each command, for nothing else changes it. */
  async state(): Promise<State> {
    const { simulation, observer, media } = this.world;
    if (!this.#mayBeOld && this.#state !== undefined) return this.#state;
    this.#mayBeOld = false;
    const files = [...media.files()].filter(([path]) => path.startsWith("/work/mappings/"));
    const held = files.flatMap(([path, { data }]) => [path, data]);
    const isHeld = held.length === this.#held.length && held.every((one, at) => one === this.#held[at]);
    this.#held = held;
    if (!isHeld) this.#state = undefined;
    this.#state ??= await simulation.observe(observer, () =>
      readState(this.migration(this.world.observing())),
    );
    return this.#state;
  }

  /** A command has been at work. */
  forget(): void {
    this.#mayBeOld = true;
  }

  async pairs(): Promise<readonly Pair[]> {
    const { mapping } = await this.state();
    return mapping.kinds().flatMap((kind) =>
      [...mapping.entries(kind)].map(([source, { target, keys, targetFingerprint: print }]) => ({
        kind,
        source: idOf(kind, source),
        target: idOf(kind, target),
        keys: keys ?? {},
        print,
      })),
    );
  }

  /** A URN in words. */
  named(side: "source" | "target", urn: string): string {
    const row = this.books.version(side, urn);
    const name = asText((row?.published ?? row?.draft)?.["name"]);
    return `${urn.split(":").at(-2) ?? ""} ${name} (${urn.slice(-36, -28)})`;
  }

  say(line: string): void {
    this.told.push(line);
    this.world.simulation.note(line);
  }

  close(): void {
    this.world.close();
  }
}

/** What git ignores whatever is done about it (mappings/README.md). */
const ofOneMachine = new Set(["applied.ndjson", "lock"]);

/** A rule with a part that nobody can compare. */
function deepen(tenant: Tenant): void {
  const [row] = [...tenant.rules.values()];
  if (row?.published === undefined) return;
  let deep: JsonObject = { end: "here" };
  for (let level = 0; level < 230; level += 1) deep = { deep };
  tenant.rules.put({ ...row, published: { ...row.published, annotations: deep } });
}

/** What the service would refuse is no place for a story. */
export function isImpossible(error: unknown): boolean {
  return error instanceof Problem;
}
