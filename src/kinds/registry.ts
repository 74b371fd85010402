import type { PlanSection } from "../plan/section.ts";
import { settingsTable } from "../plan/section.ts";
import type { GivenKind, Kind, MovedKind } from "./kind.ts";

/** The kinds that are known, checked once: a mistake here is a defect and throws at start. */
export class Registry {
  readonly #kinds: ReadonlyMap<string, Kind>;
  readonly #byUrnType = new Map<string, Kind[]>();
  readonly #sections: readonly PlanSection[];

  constructor(kinds: readonly Kind[]) {
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    if (this.#kinds.size !== kinds.length) throw new Error("two kinds have the same name");
    for (const kind of kinds) {
      for (const type of kind.urnTypes)
        this.#byUrnType.set(type, [...(this.#byUrnType.get(type) ?? []), kind]);
      const named = kind.mode === "given" ? kind.after : "refersTo" in kind ? kind.refersTo : [];
      for (const name of named) {
        if (!this.#kinds.has(name))
          throw new Error(`kind ${kind.name} names ${name}, which is not registered`);
      }
    }
    this.#sections = [
      ...new Set(kinds.flatMap(({ settings }) => (settings === undefined ? [] : [settings]))),
    ];
    settingsTable(this.#sections);
  }

  get(name: string): Kind | undefined {
    return this.#kinds.get(name);
  }

  /** In the order in which they are registered: what others refer to comes first. */
  moved(): readonly MovedKind[] {
    return [...this.#kinds.values()].filter(
      (kind) => kind.mode === "entity" || kind.mode === "overlay" || kind.mode === "link",
    );
  }

  movedKind(name: string): MovedKind | undefined {
    return this.moved().find((kind) => kind.name === name);
  }

  given(): readonly GivenKind[] {
    return [...this.#kinds.values()].filter((kind) => kind.mode === "given");
  }

  /** The given kind whose URNs have this type. */
  givenOf(urnType: string): GivenKind | undefined {
    return this.#byUrnType.get(urnType)?.find((kind) => kind.mode === "given");
  }

  /** Whether references lead to things of this kind; a kind that is laid over others owns no URN. Others are no kind of ours. */
  owns(name: string): boolean {
    return this.#kinds.get(name)?.urnTypes.length !== 0;
  }

  isMovedType(urnType: string): boolean {
    return this.#byUrnType.get(urnType)?.some((kind) => kind.mode !== "given") ?? false;
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
    return [...new Set(this.moved().map((kind) => kind.selectedAs))];
  }
}
