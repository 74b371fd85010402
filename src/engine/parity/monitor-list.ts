import type { Found, MovedKind } from "../../kinds/kind.ts";
import { passingTrouble } from "../../kinds/trouble.ts";
import type { JsonObject } from "../../model/json.ts";
import { text } from "../../model/json.ts";
import type { MonitorPlace, ReadClient } from "../../service/index.ts";

/** A monitor as one environment shows it. */
export interface Seen {
  readonly place: MonitorPlace;
  /** Its own name, where that says which one it is. */
  readonly name: string | undefined;
  readonly isIdle: boolean;
  /** Of the target's alone. */
  readonly print: string | undefined;
}

/** What is evaluated at one environment. The kinds share their listing. */
export class MonitorList {
  /** Monitors that the listing shows and nobody moved, by URN. */
  readonly others = new Map<string, { readonly kind: MovedKind; readonly name: string }>();
  readonly #kinds: readonly MovedKind[];
  readonly #client: ReadClient;
  /** Kinds by URN, of what the mapping knows. */
  readonly #mapped: ReadonlyMap<string, MovedKind>;
  readonly #printed: ((kind: MovedKind, urn: string, body: JsonObject) => string) | undefined;
  readonly #seen = new Map<string, Seen>();
  /** Why what is wanted is not seen, in a clause. */
  readonly #why = new Map<string, string>();
  #elsewhere: Promise<Elsewhere> | undefined;
  #names: Elsewhere | undefined;

  /** `printed`: what is kept of the body of a monitor that the mapping knows, where anything is. */
  constructor(
    kinds: readonly MovedKind[],
    client: ReadClient,
    mapped: ReadonlyMap<string, MovedKind>,
    printed?: (kind: MovedKind, urn: string, body: JsonObject) => string,
  ) {
    this.#printed = printed;
    this.#kinds = kinds;
    this.#client = client;
    this.#mapped = mapped;
  }

  get(urn: string): Seen | undefined {
    return this.#seen.get(urn);
  }

  /** Of what is not seen, in a clause. */
  why(urn: string): string {
    return this.#why.get(urn) ?? `the list of monitors of ${this.#client.environment.name} does not show it`;
  }

  async read(): Promise<void> {
    const context = { kinds: new Set(this.#kinds.map(({ name }) => name)), given: async () => none };
    const feeds = new Map(this.#kinds.map((kind) => [kind.feed.name, kind.feed]));
    for (const feed of feeds.values())
      for await (const page of feed.pages(this.#client, context)) for (const body of page) this.#take(body);
  }

  /** Before it is asked for names: some are told by what the monitors lie over alone. */
  async readNames(): Promise<void> {
    this.#names = await this.#found();
  }

  /** As a person knows it who looks at this environment now; undefined where nothing tells. */
  nameOf(urn: string): string | undefined {
    return this.#names?.get(urn)?.name ?? this.#seen.get(urn)?.name ?? this.others.get(urn)?.name;
  }

  /** The catalog item that it is evaluated over, as far as it is known by now. */
  itemOf(urn: string): string | undefined {
    return this.#seen.get(urn)?.place.item ?? this.#names?.get(urn)?.item;
  }

  /** It was seen, or it is known why not. */
  isKnown(urn: string): boolean {
    return this.#seen.has(urn) || this.#why.has(urn);
  }

  /** Lists may miss what is there while others write (document 2): by itself it is asked for before it counts as gone. */
  async ask(urn: string, item: string): Promise<void> {
    const kind = this.#mapped.get(urn);
    if (kind === undefined || this.isKnown(urn)) return;
    const { name } = this.#client.environment;
    try {
      const body = await this.#client.quality.monitor(item, urn);
      if (body === undefined) this.#why.set(urn, `${name} does not have it any more`);
      else this.#show(kind, urn, { catalogItemUrn: item, ...body });
    } catch (error) {
      const { reason } = passingTrouble(error);
      this.#why.set(urn, `no list shows it, and it cannot be read at ${name}: ${reason}`);
    }
  }

  #take(body: JsonObject): void {
    const urn = text(body, "urn") ?? "";
    const mapped = this.#mapped.get(urn);
    if (mapped !== undefined) {
      this.#show(mapped, urn, body);
      return;
    }
    const kind = this.#kinds.find(({ evaluated }) => evaluated?.called !== undefined);
    if (kind !== undefined) this.others.set(urn, { kind, name: kind.evaluated?.called?.(body) ?? "" });
  }

  #show(kind: MovedKind, urn: string, body: JsonObject): void {
    const { evaluated } = kind;
    const item = evaluated?.item(body);
    if (evaluated === undefined || item === undefined) return;
    const print = this.#printed?.(kind, urn, body);
    const place = { item, monitor: urn };
    this.#seen.set(urn, { place, name: evaluated.called?.(body), isIdle: evaluated.isIdle(body), print });
  }

  /** Read once, and only where somebody needs it: it goes through all that they may lie over. */
  async #found(): Promise<Elsewhere> {
    return (this.#elsewhere ??= this.#readElsewhere());
  }

  async #readElsewhere(): Promise<Elsewhere> {
    const found = new Map<string, { readonly item: string; readonly name: string }>();
    for (const { evaluated } of this.#kinds)
      for await (const { urn, item, name } of evaluated?.elsewhere?.(this.#client) ?? [])
        found.set(urn, { item, name });
    return found;
  }
}

type Elsewhere = ReadonlyMap<string, { readonly item: string; readonly name: string }>;

const none: ReadonlyMap<string, Found> = new Map();
