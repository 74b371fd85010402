import type { PlanSection } from "../plan/section.ts";
import { settingsTable } from "../plan/section.ts";
import type { ActionKind, EntityKind, Environment, GivenKind, Kind, MovedKind, RecordsKind } from "./kind.ts";

/** A field of the service's own that the plan names (`policy.ignoreFields`). */
export interface IgnoredField {
  readonly pointer: string;
  /** Its name, where it is one of the body itself. */
  readonly name?: string;
}

/** By the plan's word for a kind. */
type Ignored = Readonly<Record<string, readonly IgnoredField[]>>;

/** The kinds that are known, checked once: a mistake here is a defect and throws at start. */
export class Registry {
  readonly #kinds: ReadonlyMap<string, Kind>;
  readonly #byUrnType = new Map<string, Kind[]>();
  readonly #sections: readonly PlanSection[];
  readonly #moved: readonly MovedKind[];
  readonly #ignored: Ignored;

  /** `checked`: sections of the same kinds, which a registry has looked at before. */
  constructor(kinds: readonly Kind[], checked?: readonly PlanSection[], ignored: Ignored = {}) {
    const all = kinds.map((kind) => (isMoved(kind) ? withIgnored(kind, ignored) : kind));
    this.#ignored = ignored;
    this.#kinds = new Map(all.map((kind) => [kind.name, kind]));
    this.#moved = all.filter(isMoved);
    if (this.#kinds.size !== kinds.length) throw new Error("two kinds have the same name");
    for (const kind of all) {
      for (const type of kind.urnTypes)
        this.#byUrnType.set(type, [...(this.#byUrnType.get(type) ?? []), kind]);
      for (const name of checked === undefined ? namedBy(kind) : []) {
        if (!this.#kinds.has(name))
          throw new Error(`kind ${kind.name} names ${name}, which is not registered`);
      }
    }
    this.#sections = checked ?? [
      ...new Set(kinds.flatMap(({ settings }) => (settings === undefined ? [] : [settings]))),
    ];
    if (checked === undefined) settingsTable(this.#sections);
  }

  /**
   * The same kinds, those of them opened that are wanted: what they must know of an environment is read now, and not
   * for those that a plan does not need. Throws what the client throws.
   */
  async open(on: Environment, wanted: ReadonlySet<string>): Promise<Registry> {
    const kinds = [...this.#kinds.values()];
    if (!kinds.some((kind) => wanted.has(kind.name) && "open" in kind)) return this;
    return new Registry(
      await Promise.all(
        kinds.map(async (kind) =>
          wanted.has(kind.name) && "open" in kind ? (kind.open?.(on) ?? kind) : kind,
        ),
      ),
      this.#sections,
      this.#ignored,
    );
  }

  /** The same kinds, for which some fields more are the service's own. */
  ignoring(fields: Ignored): Registry {
    if (Object.keys(fields).length === 0) return this;
    return new Registry([...this.#kinds.values()], this.#sections, fields);
  }

  /** The same kinds, those that are moved as `change` has them. */
  with(change: (kind: MovedKind) => MovedKind): Registry {
    const kinds = [...this.#kinds.values()].map((kind) => (isMoved(kind) ? change(kind) : kind));
    return new Registry(kinds, this.#sections, this.#ignored);
  }

  get(name: string): Kind | undefined {
    return this.#kinds.get(name);
  }

  /** In the order in which they are registered: what others refer to comes first. */
  moved(): readonly MovedKind[] {
    return this.#moved;
  }

  movedKind(name: string): MovedKind | undefined {
    const kind = this.#kinds.get(name);
    return kind !== undefined && isMoved(kind) ? kind : undefined;
  }

  records(): readonly RecordsKind[] {
    return [...this.#kinds.values()].filter((kind) => kind.mode === "records");
  }

  action(name: string): ActionKind | undefined {
    const kind = this.#kinds.get(name);
    return kind?.mode === "action" ? kind : undefined;
  }

  actions(): readonly ActionKind[] {
    return [...this.#kinds.values()].filter((kind) => kind.mode === "action");
  }

  given(): readonly GivenKind[] {
    return [...this.#kinds.values()].filter((kind) => kind.mode === "given");
  }

  /** The given kind whose URNs have this type. */
  givenOf(urnType: string): GivenKind | undefined {
    return this.#byUrnType.get(urnType)?.find((kind) => kind.mode === "given");
  }

  /**
   * The name of the kind whose URNs have this type, as far as it tells: what it does not tell apart (an SQL item is a
   * catalog item) is taken for what exists on both sides.
   */
  kindOf(urnType: string): string | undefined {
    return (this.givenOf(urnType) ?? this.moved().find((kind) => kind.urnTypes.includes(urnType)))?.name;
  }

  /** What the metadata model calls whatever has a URN of this type. */
  modelType(urnType: string): string | undefined {
    return this.#byUrnType.get(urnType)?.find(({ modelType }) => modelType !== undefined)?.modelType;
  }

  /** Whether references lead to things of this kind; a kind that is laid over others owns no URN. Others are no kind of ours. */
  owns(name: string): boolean {
    const kind = this.#kinds.get(name);
    return kind?.urnTypes.length !== 0 || ownsOthers(kind);
  }

  /**
   * Whether a reference of this type may lead to something that is moved. An SQL item is a catalog item by its type,
   * and types of generic entities are known to nobody beforehand: what was listed decides.
   */
  mayBeMoved(urnType: string): boolean {
    const kinds = this.#byUrnType.get(urnType);
    return kinds === undefined
      ? [...this.#kinds.values()].some(ownsOthers)
      : kinds.some((kind) => kind.mode !== "given");
  }

  /** The kinds that something with a URN of this type may be moved as; of a type that no kind names: those that own others. */
  movedAs(urnType: string): readonly EntityKind[] {
    const kinds = this.#byUrnType.get(urnType);
    if (kinds === undefined) return [...this.#kinds.values()].filter(ownsOthers);
    return kinds.filter((kind) => kind.mode === "entity");
  }

  /**
   * Whether something with a URN of this type may be of a kind, or be what a kind without URNs of its own lies over. Of what is
   * no kind of ours nothing is known.
   */
  mayBe(name: string, urnType: string): boolean {
    const kind = this.#kinds.get(name);
    if (kind === undefined || kind.urnTypes.includes(urnType)) return true;
    if (kind.urnTypes.length > 0) return false;
    const known = new Set([this.givenOf(urnType)?.name, ...this.movedAs(urnType).map((moved) => moved.name)]);
    const wanted = kind.mode === "overlay" || kind.mode === "link" ? kind.over.kinds : [name];
    return wanted.some((one) => known.has(one));
  }

  /** Whether a kind that is selected speaks to the master-data server. */
  needsMasterData(selected: readonly string[]): boolean {
    return [...this.#kinds.values()].some(
      ({ service, selectedAs }) => service === "master-data" && selected.includes(selectedAs),
    );
  }

  /** What the kinds let a plan say: the same list each time. */
  sections(): readonly PlanSection[] {
    return this.#sections;
  }

  /** The words that plans and flags may use. */
  selectable(): readonly string[] {
    return [...new Set([...this.moved(), ...this.records()].map((kind) => kind.selectedAs))];
  }
}

function isMoved(kind: Kind): kind is MovedKind {
  return kind.mode === "entity" || kind.mode === "overlay" || kind.mode === "link";
}

function ownsOthers(kind: Kind): kind is EntityKind {
  return kind.mode === "entity" && kind.ownsOthers === true;
}

/** Other kinds that a kind names: all of them must be there. */
function namedBy(kind: Kind): readonly string[] {
  switch (kind.mode) {
    case "given":
      return kind.after;
    case "entity":
      return [...named(kind), ...(kind.births === undefined ? [] : [kind.births.as, ...kind.births.kinds])];
    case "overlay":
    case "link":
      return [...named(kind), ...kind.over.kinds];
    case "records":
    case "action":
      return [];
  }
}

function named({ refersTo, mayReferTo = [] }: MovedKind): readonly string[] {
  return [...refersTo, ...mayReferTo];
}

function withIgnored(kind: MovedKind, ignored: Ignored): MovedKind {
  const fields = Object.hasOwn(ignored, kind.selectedAs) ? ignored[kind.selectedAs] : undefined;
  const { shape } = kind;
  const more = (fields ?? []).filter(({ pointer }) => !shape.serverOwned.includes(pointer));
  if (more.length === 0) return kind;
  const whole = more.flatMap(({ name }) => (name === undefined || shape.known.includes(name) ? [] : [name]));
  const wider = {
    ...shape,
    serverOwned: [...shape.serverOwned, ...more.map(({ pointer }) => pointer)],
    known: [...shape.known, ...whole],
  };
  return { ...kind, ...(kind.withShape?.(wider) ?? { shape: wider }) } as MovedKind;
}
