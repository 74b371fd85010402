import type { MasterData } from "../../src/emulator/index.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { asText, type JsonObject } from "../../src/emulator/json.ts";
import type { Scene } from "./scene.ts";

/** Parties with addresses that people have authored: so many, and which of the two says what it is related to. */
export interface PeoplePlan {
  readonly parties: number;
  readonly says: "party" | "address";
}

type MasterRow = ReturnType<typeof books.authorMaster>;

const relation = "party_has_address";

/** Of each what the plan moves, and what is somebody else's and none of its business. */
const [moved, others] = ["authored", "theirs"];

const master = { layer: "master", view: "masters", overrides: false, activity: false } as const;

/** Masters that lead to each other: with one that is removed goes the relation of whoever leads to it. */
export class People {
  readonly #scene: Scene;
  readonly #source: MasterData;
  readonly #target: MasterData;
  /** Since when somebody's address at the target leads to a party. */
  readonly #led = new Map<string, number>();
  /** The id under which a party was there last. */
  readonly #ids = new Map<string, number>();
  #made = 0;

  constructor(scene: Scene, source: MasterData, target: MasterData, { parties }: PeoplePlan) {
    this.#scene = scene;
    this.#source = source;
    this.#target = target;
    for (let index = 0; index < parties; index += 1) {
      const party = authorParty(source, `H${index}`);
      for (let number = 0; number < index % 3; number += 1)
        this.#relate(source, party, `${number} H${index}`);
    }
    authorParty(target, "OWN");
    authorParty(target, "THEIRS", others);
    this.note();
  }

  static plan({ says }: PeoplePlan): readonly JsonObject[] {
    const party = {
      ...master,
      entity: "party",
      key: ["cmo_code"],
      columns: ["cmo_code", "cmo_name", "cmo_status"],
      filter: { cmo_status: moved },
      relationships: says === "party" ? ["addresses"] : [],
    };
    const address = {
      ...master,
      entity: "address",
      key: ["cmo_street"],
      columns: ["cmo_street", "cmo_city", "cmo_type"],
      filter: { cmo_type: moved },
      relationships: says === "address" ? ["party"] : [],
    };
    return says === "address" ? [party, address] : [address, party];
  }

  /** By key, what each says but for its relations. */
  static told(data: MasterData): readonly (readonly [string, string])[] {
    return (["party", "address"] as const).flatMap((entity) =>
      authoredOf(data, entity).map((row): [string, string] => {
        const values = Object.entries(row.authored?.values ?? {}).filter(([, value]) => value !== null);
        return [keyOf(row), JSON.stringify(values.sort(([one], [other]) => (one < other ? -1 : 1)))];
      }),
    );
  }

  /** Whether the plan means it by what it was there last. */
  static isMoved(text: string): boolean {
    return text.includes(`"${moved}"`);
  }

  atSource(how: string, object: number, value: number): string | undefined {
    const [parties, addresses] = [authoredOf(this.#source, "party"), authoredOf(this.#source, "address")];
    const party = parties[object % Math.max(1, parties.length)];
    if (how === "create") {
      this.#made += 1;
      authorParty(this.#source, `M${this.#made}`);
      return "made";
    }
    if (party === undefined) return undefined;
    if (how === "use") {
      this.#made += 1;
      this.#relate(this.#source, party, `${this.#made} made`);
      return "related";
    }
    if (how === "remove") {
      const gone = [party, ...addresses].at(value % (1 + addresses.length)) ?? party;
      this.#source.masters(gone.entity)?.delete(gone);
      return "removed";
    }
    books.writeMaster(this.#source, party, { cmo_name: `changed ${value}` });
    return "changed";
  }

  atTarget(how: string, object: number, value: number): void {
    const parties = authoredOf(this.#target, "party");
    const party = parties[object % Math.max(1, parties.length)];
    if (how === "create") {
      this.#made += 1;
      authorParty(this.#target, `T${this.#made}`, value % 2 === 0 ? moved : others);
    } else if (party === undefined) return;
    else if (how === "use") {
      this.#made += 1;
      const made = this.#relate(this.#target, party, `${this.#made} theirs`, others);
      this.#led.set(keyOf(made), (this.#scene.books.tick += 1));
    } else books.writeMaster(this.#target, party, { cmo_name: `theirs ${value}` });
  }

  /** Of a party that is gone by now. */
  ledBy(key: string): { readonly since: number; readonly by: string } | undefined {
    const id = this.#ids.get(key);
    for (const row of authoredOf(this.#target, "address")) {
      const since = this.#led.get(keyOf(row));
      if (since !== undefined && row.parents?.get(relation) === id) return { since, by: keyOf(row) };
    }
    return undefined;
  }

  /** What stands at the target now. */
  note(): void {
    this.#ids.clear();
    for (const row of authoredOf(this.#target, "party")) this.#ids.set(keyOf(row), row.id);
  }

  /** Addresses lead at the target where they lead at the source. */
  judgeWhole(isTouched: (key: string) => boolean): void {
    for (const row of authoredOf(this.#source, "address")) {
      const wanted = parentOf(this.#source, row);
      const twin = authoredOf(this.#target, "address").find((one) => keyOf(one) === keyOf(row));
      if (wanted === undefined || twin === undefined || isTouched(keyOf(row)) || isTouched(wanted)) continue;
      const now = parentOf(this.#target, twin);
      if (now === wanted) continue;
      this.#scene.judge.breach(
        "wrong-content",
        `${keyOf(row)} leads to ${now ?? "nothing"} and should to ${wanted}`,
      );
    }
  }

  #relate(data: MasterData, party: MasterRow, street: string, type = moved): MasterRow {
    const attributes = { cmo_street: street, cmo_city: `City of ${street}`, cmo_type: type };
    const address = books.authorMaster(data, { entity: "address", attributes });
    books.relateMasters(data, party, "addresses", address);
    return address;
  }
}

function authorParty(data: MasterData, code: string, status = moved): MasterRow {
  const attributes = { cmo_code: code, cmo_name: `as ${data.name} says`, cmo_status: status };
  return books.authorMaster(data, { entity: "party", attributes });
}

function authoredOf(data: MasterData, entity: "party" | "address"): readonly MasterRow[] {
  return (data.masters(entity)?.rows ?? []).filter(({ authored }) => authored !== undefined);
}

function keyOf({ entity, authored }: MasterRow): string {
  const column = entity === "party" ? "cmo_code" : "cmo_street";
  return `masters/${entity} ${asText(authored?.values[column])}`;
}

function parentOf(data: MasterData, row: MasterRow): string | undefined {
  const party = data.masters("party")?.get(row.parents?.get(relation) ?? 0);
  return party === undefined ? undefined : keyOf(party);
}
