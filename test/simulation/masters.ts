import { appliers } from "./breach.ts";
import type { LogEntry, MasterData, Phase } from "../../src/emulator/index.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { asText, type JsonObject } from "../../src/emulator/json.ts";
import { exitCodes, type Result } from "../../src/model/result.ts";
import type { Dice } from "./dice.ts";
import type { Ended } from "./ended.ts";
import { Known } from "./known.ts";
import { changed, type Leaves, leavesOf } from "./leaves.ts";
import { forgetDoubts, type Records } from "./records.ts";
import { People, type PeoplePlan } from "./people.ts";
import { names, Removals } from "./removals.ts";
import { areRowsInDoubt } from "./rows.ts";
import type { Scene } from "./scene.ts";
import type { TimedAct } from "./story.ts";
import type { Asked, At } from "./what-was-sent.ts";

/** Master data that the plan moves: so many parties, some with an address, and segments that people have authored. */
export interface MastersPlan {
  readonly parties: number;
  readonly segments: number;
  /** Of which the target has one already. */
  readonly there: readonly number[];
  readonly people?: PeoplePlan;
}

export function drawMasters(dice: Dice): MastersPlan {
  return {
    parties: dice.below(9),
    segments: dice.below(5),
    there: dice.some(3, () => dice.below(9)),
  };
}

type InstanceRow = ReturnType<typeof books.putInstance>;
type MasterRow = ReturnType<typeof books.authorMaster>;

/** By what stands for a record at both sides: what it says, in the words of the target; null and absent are one. */
type Told = ReadonlyMap<string, readonly string[]>;

const stopped: ReadonlySet<number> = new Set([exitCodes.interrupted, exitCodes.failed, exitCodes.permission]);

/**
 * Instances with relations, overrides and activity, and authored masters, judged by the books of the servers: each of
 * the source once at the target, nothing else touched.
 */
export class Masters implements Records {
  readonly #scene: Scene;
  readonly #source: MasterData;
  readonly #target: MasterData;
  #said: string;
  /** What the source never had, as people left it. */
  readonly #own = new Map<string, string>();
  readonly #touched = new Set<string>();
  readonly #known = new Known();
  /** When the source's system has said something last, milliseconds. */
  #loaded = Date.UTC(2026, 0, 1);
  #made = 0;
  /** A rollback came to no end: what it has left is told, and drift from then on. */
  #isHalfBack = false;
  /** Where requests that were sent again at once arrived after all: they may have undone what came after them (README). */
  readonly #late = new Set<string>();
  /** What colleagues have made of records about which something was sent before, and when a run has looked at it since. */
  readonly #behind = new Map<
    string,
    { readonly said: ReadonlyMap<string, string | undefined>; seen: number | undefined }
  >();
  /** Since the last run that came to its end. */
  #hasGoneBack = false;
  /** What the source has ever had as inactive. */
  readonly #off = new Set<string>();
  readonly #people: People | undefined;
  /** Where the plan has records removed. */
  readonly #removals: Removals | undefined;
  /** What counts at the target, as it was when it was last looked at. */
  #counted: ReadonlyMap<string, string> = new Map();

  constructor(scene: Scene, { parties, segments, there, people }: MastersPlan, removes: boolean) {
    this.#scene = scene;
    const { emulator } = scene.world;
    this.#source = emulator.masterData("dev");
    this.#target = emulator.masterData("prod");
    for (let index = 0; index < parties; index += 1) {
      const made = this.#putParty(this.#source, `P${index}`, "as the source says", {
        ...(index % 3 === 0 ? { overrides: { src_note: `a steward on ${index}` } } : {}),
        ...(index % 4 === 1 ? { active: false } : {}),
      });
      if (index % 2 === 0) this.#relate(made, `A${index}`);
    }
    for (let index = 0; index < segments; index += 1) {
      const made = author(this.#source, `S${index}`, "as the source says");
      if (index % 3 === 1) books.setActivity(this.#source, made, false);
    }
    for (const index of new Set(there)) {
      this.#putParty(this.#target, `P${index}`, "as it was before");
      author(this.#target, `S${index}`, "as it was before");
    }
    this.#putParty(this.#target, "own", "of the target alone");
    this.#putParty(this.#target, "P0", "of another origin", { origin: "erp#party#Prod" });
    author(this.#target, "OWN", "of the target alone");
    if (people !== undefined) this.#people = new People(scene, this.#source, this.#target, people);
    const wanted = told(this.#source);
    for (const [key, texts] of told(this.#target)) if (!wanted.has(key)) this.#own.set(key, texts.join());
    this.#said = saidBy(this.#source);
    this.#removals = removes ? this.#watch() : undefined;
    scene.world.emulator.on(({ phase, entry }) => {
      if (this.#behind.size > 0 && entry.tenant === "prod" && entry.path.startsWith("/api/rest/"))
        this.#judgeBehind(phase, entry);
    });
  }

  /** What a colleague has made of a record behind what was sent stays, where a run has looked at it since, and the plan reports what has drifted. */
  #judgeBehind(phase: Phase, entry: LogEntry): void {
    const { books: requests, judge } = this.#scene;
    if (phase === "answered")
      for (const [key, behind] of this.#behind)
        if (behind.seen === undefined && isLook(entry, key)) behind.seen = requests.tick;
    if (phase !== "after-commit") return;
    const there = told(this.#target);
    for (const [key, { said, seen = Infinity }] of this.#behind) {
      const now = partsOf(there.get(key));
      // What they have left to the source is the source's.
      const lost = [...said].find(([path, value]) => now.get(path) !== value);
      if (lost === undefined) continue;
      const [path, value = "removal"] = lost;
      this.#behind.delete(key);
      const under = judge.sentUnder();
      const policies = [under, ...judge.unfinished].flatMap((one) => one?.policy ?? []);
      if (policies.some(({ drift, conflict }) => drift !== "report" || conflict !== "report"))
        judge.excuses.policy += 1;
      // What a rollback has switched off is nobody's, and the next run brings what the source says.
      else if (seen > requests.sentAt || (this.#hasGoneBack && under?.does !== "rollback"))
        judge.excuses.window += 1;
      else if (this.#removals === undefined || told(this.#source).has(key))
        judge.breach(
          "overwritten",
          `a colleague's ${value} of ${key} ${path} came behind what was sent, and ${under?.does ?? ""} makes it ${now.get(path) ?? "nothing"}`,
        );
    }
  }

  #watch(): Removals {
    const removals = new Removals(this.#scene, {
      wanted: () => new Set(told(this.#source).keys()),
      isLook,
      isBack: () => this.#hasGoneBack,
      isLate: () => this.#late.size > 0 || this.#latePaths().length > 0,
      ...(this.#people === undefined ? {} : { ledBy: (key) => this.#people?.ledBy(key) }),
    });
    this.#noteOff();
    this.#counted = countedOf(this.#target);
    this.#scene.world.emulator.on(({ entry }) => {
      if (entry.tenant === "prod") this.#lookFor(removals);
    });
    return removals;
  }

  #noteOff(): void {
    for (const [key, [text = ""]] of told(this.#source)) if (text.includes(isInactive)) this.#off.add(key);
  }

  /** Instances are switched off, masters deleted. What the source has switched off is no removal. */
  #lookFor(removals: Removals): void {
    const [before, now] = [this.#counted, countedOf(this.#target)];
    this.#counted = now;
    if ([...before.keys()].some((key) => !now.has(key))) {
      const source = told(this.#source);
      for (const [key, text] of before)
        if (!now.has(key) && (isMaster(key) || !(source.has(key) || this.#off.has(key)))) {
          if (key.startsWith("masters/") && !People.isMoved(text))
            this.#scene.judge.breach("deleted", `${key} is none of what the plan moves, and is gone`);
          removals.gone(key);
        }
    }
    this.#people?.note();
  }

  static plan({ people }: MastersPlan): readonly JsonObject[] {
    const instance = { layer: "instance", columns: ["src_*"], filter: {}, activity: true };
    const origins = Object.fromEntries(
      ["party", "address"].map((name) => [origin(name, "dev"), origin(name, "prod")]),
    );
    return [
      { ...instance, entity: "party", origins, relationships: ["addresses"], overrides: true },
      { ...instance, entity: "address", origins, relationships: [], overrides: false },
      {
        layer: "master",
        view: "codes",
        entity: "segment",
        key: ["cmo_code"],
        columns: ["cmo_*"],
        filter: {},
        authored: "all",
        relationships: [],
        overrides: false,
        activity: true,
      },
      ...(people === undefined ? [] : People.plan(people)),
    ];
  }

  act(timed: TimedAct, { key }: At = {}): string | undefined {
    if (timed.side === "target") return this.#atTarget(timed, key);
    const done = this.#atSource(timed, key);
    this.#said = saidBy(this.#source);
    this.#noteOff();
    this.#removals?.sourceChanged();
    return done === undefined ? undefined : `${done} a record of master data at the source`;
  }

  /** Keys of the records that a request names, or says how they are to be. */
  keysIn({ path, body }: Asked): readonly string[] {
    const asked = { query: { path }, body };
    const ids = [...partiesOf(this.#target, "Prod"), ...segmentsOf(this.#target)].flatMap((row) => {
      const isOfThis = new RegExp(`/${row.entity}/${row.id}(?:/|$)`).test(path);
      return isOfThis ? [keyOf(row)] : [];
    });
    const entity = /\/(party|segment)(?:\/|$)/.exec(path)?.[1] ?? "none";
    const named = [...partiesOf(this.#source, "Dev"), ...segmentsOf(this.#source)].filter(
      (row) => row.entity === entity && names(asked, nameOf(row)),
    );
    return [...new Set([...ids, ...named.map(keyOf)])];
  }

  #atSource({ how, object, value }: TimedAct, key: string | undefined): string | undefined {
    const data = this.#source;
    if (key === undefined && this.#people !== undefined && value % 2 === 0)
      return this.#people.atSource(how, object, value >> 1);
    const [parties, segments] = [partiesOf(data, "Dev"), segmentsOf(data)];
    const party = chosen(parties, object, key);
    const segment = chosen(segments, object, key);
    const isOfPeople = key === undefined ? value % 3 === 0 : isMaster(key);
    let done: string | undefined;
    if (how === "create") {
      this.#made += 1;
      if (isOfPeople) author(data, `M${this.#made}`, `made ${value}`);
      else this.#putParty(data, `M${this.#made}`, `made ${value}`);
      done = "made";
    } else if (isOfPeople && segment !== undefined) {
      const isPurged = how === "remove" && this.#removals !== undefined && value % 2 === 1;
      if (isPurged) data.masters("segment")?.delete(segment);
      else if (how === "remove")
        books.setActivity(data, segment, segment.activity === false ? undefined : false);
      else books.writeMaster(data, segment, { cmo_name: `changed ${value}` });
      done = isPurged ? "removed" : how === "remove" ? "switched the activity of" : "changed";
    } else if (party !== undefined) {
      const isPurged = how === "remove" && this.#removals !== undefined && value % 4 === 1;
      if (isPurged) data.instances("party")?.delete(party);
      else if (how === "remove") books.setActivity(data, party, party.activity === false ? undefined : false);
      else if (how === "use") this.#relate(party, `A ${party.sourceId}`);
      else if (how === "more")
        this.#putParty(data, party.sourceId, undefined, { overrides: { src_note: `a steward ${value}` } });
      else this.#putParty(data, party.sourceId, `changed ${value}`);
      done = isPurged ? "removed" : how;
    }
    return done;
  }

  #atTarget({ how, object, value, when }: TimedAct, key: string | undefined): string | undefined {
    const data = this.#target;
    const before = told(data);
    const [parties, segments] = [partiesOf(data, "Prod"), segmentsOf(data)];
    const party = chosen(parties, object, key);
    const segment = chosen(segments, object, key);
    const isOfPeople = key === undefined ? value % 3 === 0 : isMaster(key);
    // It was to be made.
    if (key !== undefined && (isOfPeople ? segment : party) === undefined) {
      if (!isOfPeople) this.#putParty(data, key.split(" ").at(-1) ?? "", `theirs ${value}`);
    } else if (key === undefined && this.#people !== undefined && value % 2 === 0)
      this.#people.atTarget(how, object, value >> 1);
    else if (how === "create") {
      this.#made += 1;
      if (isOfPeople) author(data, `THEIRS ${this.#made}`, `made ${value}`);
      else this.#putParty(data, `theirs ${this.#made}`, `made ${value}`);
    } else if (isOfPeople && segment !== undefined) {
      if (how === "remove") books.setActivity(data, segment, segment.activity === false ? undefined : false);
      else books.writeMaster(data, segment, { cmo_name: `theirs ${value}` });
    } else if (party !== undefined) {
      if (how === "remove") books.setActivity(data, party, party.activity === false ? undefined : false);
      else if (how === "more")
        books.putInstance(data, { ...ofParty(party), overrides: { src_note: `theirs ${value}` } });
      else books.putInstance(data, { ...ofParty(party), attributes: { src_name: `theirs ${value}` } });
    }
    if (this.#removals !== undefined) this.#counted = countedOf(data);
    this.#people?.note();
    const touched = [...told(data)].find(([key, texts]) => before.get(key)?.join() !== texts.join());
    if (touched === undefined) return undefined;
    const [at, texts] = touched;
    this.#removals?.edited(at);
    const isOwn = this.#own.has(at);
    if (key === undefined || isOwn || !before.has(at)) this.#behind.delete(at);
    else this.#cameBehind(at, before.get(at), texts);
    if (isOwn || (key === undefined && !before.has(at))) this.#own.set(at, texts.join());
    else {
      this.#touched.add(at);
      this.#known.edited(at, texts.join(), when.at === "before");
    }
    return `${before.has(at) ? "changed" : "made"} ${at} at the target${key === undefined ? "" : ", about which something was sent"}`;
  }

  judge(ended: Ended): void {
    const { does } = ended.command;
    const { judge } = this.#scene;
    const { result } = ended;
    if (this.#removals !== undefined) this.#lookFor(this.#removals);
    const removed = this.#removals?.taken() ?? new Set<string>();
    for (const key of removed) {
      this.#known.removed(key);
      // While a rollback was refused, what a killed run had sent has come.
      const isTakenBack = does === "rollback" && result !== undefined;
      if (this.#removals?.mayRemove === true && !isTakenBack) this.#own.delete(key);
    }
    for (const path of this.#latePaths()) this.#late.add(path);
    if (does === "rollback" && (result === undefined || stopped.has(result.exitCode)))
      this.#isHalfBack = true;
    if (does === "rollback") this.#hasGoneBack = true;
    else if (appliers.has(does) && result?.exitCode === exitCodes.done) this.#hasGoneBack = false;
    if (saidBy(this.#source) !== this.#said)
      judge.breach("source-written", `${does} changed master data of the source`);
    const there = told(this.#target);
    for (const [key, before] of this.#own) {
      const now = there.get(key)?.join();
      if (now !== before)
        judge.breach(
          "overwritten",
          `${key} is the target's alone, and ${does} left it as ${now ?? "nothing"}`,
        );
    }
    const wanted = told(this.#source);
    const alike = (): readonly string[] =>
      [...wanted].flatMap(([key, texts]) => (there.get(key)?.join() === texts.join() ? [key] : []));
    for (const key of this.#known.after(ended, (one) => there.get(one)?.join(), alike)) {
      // Of an instance the path of the request names it.
      if ([...this.#late].some((path) => path.endsWith(`/${key.split(" ").at(-1) ?? ""}`)))
        judge.excuses.window += 1;
      // The source has switched it off first, and then removed it: what a colleague has switched on goes, as the plan has it.
      else if (!wanted.has(key) && this.#removals?.mayRemove === true && isOff(there.get(key)))
        judge.excuses.policy += 1;
      else
        judge.breach(
          "overwritten",
          `a colleague changed ${key} before ${does}, and it is ${there.get(key)?.join() ?? "gone"}`,
        );
    }
    for (const [key, texts] of there)
      if (texts.length > 1) judge.breach("made-twice", `${key} is at the target ${texts.length} times`);
  }

  #cameBehind(key: string, before: readonly string[] | undefined, after: readonly string[]): void {
    const [then, now] = [partsOf(before), partsOf(after)];
    const said = new Map(this.#behind.get(key)?.said);
    for (const path of changed(then, now)) said.set(path, now.get(path));
    this.#behind.set(key, { said, seen: undefined });
  }

  #latePaths(): readonly string[] {
    return this.#scene.world.emulator.log.entries.flatMap(({ fault, path }) =>
      fault === "late-commit" && path.startsWith("/api/rest/") ? [path] : [],
    );
  }

  async seeTo(result: Result | undefined): Promise<boolean> {
    const scene = this.#scene;
    if (result?.exitCode !== exitCodes.inDoubt || !areRowsInDoubt(result)) return false;
    for (const { id, kind, records } of result.changes) {
      if (kind !== "master-data" || (records?.inDoubt ?? 0) === 0) continue;
      scene.say(`    a person has what is in doubt of ${id} forgotten`);
      await forgetDoubts(scene, id);
    }
    // What is forgotten is met for the first time.
    this.#behind.clear();
    return true;
  }

  judgeWhole(result: Result | undefined): void {
    if (this.#isHalfBack && result?.exitCode !== exitCodes.done) return;
    const { judge } = this.#scene;
    const isTold = this.#late.size > 0 && result?.exitCode !== exitCodes.done;
    const there = told(this.#target);
    const source = told(this.#source);
    if (result?.exitCode === exitCodes.done) this.#judgeDone(source);
    for (const [key, texts] of source) {
      const now = there.get(key);
      if (now === undefined) judge.breach("lost", `${key} is not at the target`);
      else if (!isTold && !this.#touched.has(key) && now.join() !== texts.join())
        judge.breach("wrong-content", `${key} is ${now.join()} and should be ${texts.join()}`);
    }
  }

  /** It says that nothing is left. */
  #judgeDone(source: Told): void {
    if (this.#late.size === 0) this.#people?.judgeWhole((key) => this.#touched.has(key));
    if (this.#removals === undefined) return;
    for (const [key, text] of countedOf(this.#target)) {
      const isOthers = key.startsWith("masters/") && !People.isMoved(text);
      if (!source.has(key) && !isOthers)
        this.#scene.judge.breach("exit-code", `ends with 0, and ${key} is at the target alone`);
    }
  }

  #putParty(data: MasterData, sourceId: string, name: string | undefined, more: object = {}): InstanceRow {
    const attributes = name === undefined ? {} : { src_name: name };
    return books.putInstance(data, {
      entity: "party",
      origin: origin("party", data.name),
      sourceId,
      attributes,
      // A load of the source's system says when; what people do at the target says nothing of that.
      ...(data === this.#source ? { sourceTime: (this.#loaded += 1_001) } : {}),
      ...more,
    });
  }

  /** Of the source. */
  #relate(party: InstanceRow, sourceId: string): void {
    const fields = { entity: "address", origin: origin("address", "dev"), sourceId };
    const made = books.putInstance(this.#source, {
      ...fields,
      attributes: { src_city: `City of ${sourceId}` },
    });
    books.relate(this.#source, party, "addresses", made);
  }
}

function origin(entity: string, side: string): string {
  return `crm#${entity}#${side === "dev" ? "Dev" : "Prod"}`;
}

function ofParty({ origin: own, sourceId }: InstanceRow): Parameters<typeof books.putInstance>[1] {
  return { entity: "party", origin: own, sourceId, attributes: {} };
}

function author(data: MasterData, code: string, name: string): MasterRow {
  return books.authorMaster(data, { entity: "segment", attributes: { cmo_code: code, cmo_name: name } });
}

function partiesOf(data: MasterData, side: string): readonly InstanceRow[] {
  return [...(data.instances("party")?.rows ?? [])].filter((row) => row.origin === `crm#party#${side}`);
}

function segmentsOf(data: MasterData): readonly MasterRow[] {
  return [...(data.masters("segment")?.rows ?? [])];
}

/** All that it says but for when the source's system has said it. */
function partsOf([text = "{}"]: readonly string[] = []): Leaves {
  const { source_timestamp: _when, ...said } = JSON.parse(text) as JsonObject;
  return leavesOf(said);
}

/** A request by which the tool sees what stands under a key. */
function isLook(entry: LogEntry, key: string): boolean {
  const [entity = "", ...rest] = key.split(" ");
  const id = (isMaster(key) ? rest : rest.slice(1)).join(" ");
  const isRead = entry.method === "GET" || entry.path.endsWith("/search");
  return isRead && entry.path.includes(`/${entity}`) && names(entry, id);
}

function chosen<T extends InstanceRow | MasterRow>(
  rows: readonly T[],
  object: number,
  key: string | undefined,
): T | undefined {
  return key === undefined ? rows[object % Math.max(1, rows.length)] : rows.find((row) => keyOf(row) === key);
}

/** In the words of the target, as it is told. */
function keyOf(row: InstanceRow | MasterRow): string {
  const origin = "origin" in row ? ` ${row.origin.replace("#Dev", "#Prod")}` : "";
  return `${row.entity}${origin} ${nameOf(row)}`;
}

function nameOf(row: InstanceRow | MasterRow): string {
  return "sourceId" in row ? row.sourceId : asText(row.authored?.values["cmo_code"]);
}

function told(data: MasterData): Told {
  const instances = ["party", "address"].flatMap((entity) =>
    [...(data.instances(entity)?.rows ?? [])].map((row): [string, string] => {
      const { activity: _way, parents: _far, source, ...book } = books.instanceBook(data, row);
      const text = JSON.stringify({ ...book, source: sorted(source), addresses: addressesOf(data, row) });
      const key = `${entity} ${row.origin} ${row.sourceId}`;
      return [key.replace("#Dev", "#Prod"), text.replaceAll("#Dev", "#Prod")];
    }),
  );
  const masters = segmentsOf(data).map((row): [string, string] => {
    const values = row.authored?.values ?? {};
    const active = row.activity ?? row.authored?.active ?? true;
    return [`segment ${asText(values["cmo_code"])}`, JSON.stringify({ ...sorted(values), active })];
  });
  const groups = Map.groupBy([...instances, ...masters, ...People.told(data)], ([key]) => key);
  return new Map([...groups].map(([key, group]) => [key, group.map(([, text]) => text)]));
}

/** What counts of what the plan may remove; inactive instances do not. */
function countedOf(data: MasterData): ReadonlyMap<string, string> {
  const isOurs = (key: string): boolean => isMaster(key) || key.includes("crm#");
  return new Map(
    [...told(data)].flatMap(([key, [text = ""]]) =>
      isOurs(key) && (isMaster(key) || !text.includes(isInactive)) ? [[key, text] as const] : [],
    ),
  );
}

const isInactive = `"active":false`;

function isOff(texts: readonly string[] = []): boolean {
  return texts.every((text) => text.includes(isInactive));
}

function isMaster(key: string): boolean {
  return key.startsWith("segment ") || key.startsWith("masters/");
}

/** A relation is a matter of its parent, whose plan names it. */
function addressesOf(data: MasterData, row: InstanceRow): readonly string[] {
  const ids = [...(row.children?.values() ?? [])].flat();
  return ids.flatMap((id) => data.instances("address")?.get(id)?.sourceId ?? []).sort();
}

function sorted(values: JsonObject): JsonObject {
  const entries = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function saidBy(data: MasterData): string {
  return [...told(data)].map(([key, texts]) => `${key} ${texts.join()}`).join("\n");
}
