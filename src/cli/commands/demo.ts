import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { stringify } from "yaml";
import { decideReview, linkRuleToTerm, seedAssignment } from "../../emulator/seed.ts";
import { masterDataBooks, startEmulator } from "../../emulator/index.ts";
import type { Attribute } from "../../emulator/state.ts";
import type { Emulator, Tenant } from "../../emulator/index.ts";
import { demoPairing, demoQueries, scenario } from "../../emulator/scenarios/index.ts";
import { exitCodes } from "../../model/result.ts";
import { makeFolders } from "../../store/index.ts";
import type { CommonFlags } from "../flags.ts";
import { inWords } from "../in-words.ts";
import type { Io } from "../io.ts";
import { runApply } from "./apply.ts";
import { runDiff } from "./diff.ts";
import { runParity } from "./parity.ts";
import { UsageError } from "../usage-error.ts";
import { toolVersion } from "../version.ts";

export interface DemoFlags {
  readonly dir?: string | undefined;
  readonly verbose: number;
  readonly color: boolean;
}

/** All that the demo's source holds. */
const everything = {
  kinds: [
    "folders",
    "sql-items",
    "entities",
    "terms",
    "rules",
    "monitors",
    "dashboards",
    "term-assignments",
    "term-denylist",
    "item-metadata",
    "attribute-metadata",
    "stewardship",
  ],
  entityTypes: ["dataProduct", "dataContract", "outputPort", "qualityIssue", "issueComment"],
};

/** Rows are known by their keys; each source system has an origin of its own for an entity in either environment. */
function originsOf(entity: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ["crm", "erp"].map((system) => [`${system}#${entity}#Dev`, `${system}#${entity}#Prod`]),
  );
}
const records = {
  referenceData: [
    { table: "Countries", key: ["code"] },
    { table: "Currencies", key: ["iso"], publish: "review" },
  ],
  masterData: [
    {
      layer: "instance",
      entity: "party",
      origins: originsOf("party"),
      relationships: ["addresses"],
      overrides: true,
      activity: true,
    },
    { layer: "instance", entity: "address", origins: originsOf("address") },
    // What people have authored: of the view in which instances are merged, and of one that is theirs alone.
    {
      layer: "master",
      view: "masters",
      entity: "party",
      key: ["cmo_code"],
      filter: { published_by: "ferry-steward" },
      overrides: true,
    },
    {
      layer: "master",
      view: "masters",
      entity: "address",
      key: ["cmo_street", "cmo_zip"],
      filter: { published_by: "ferry-steward" },
      relationships: ["party"],
    },
    { layer: "master", view: "codes", entity: "segment", key: ["cmo_code"], authored: "all" },
  ],
};

/** The whole job offline: two emulated environments, real HTTP, nothing to configure. */
export async function runDemo(io: Io, flags: DemoFlags): Promise<number> {
  const folder =
    flags.dir === undefined ? mkdtempSync(join(tmpdir(), "ferry-demo-")) : resolve(io.cwd, flags.dir);
  // The environments are new each time, and what is mapped there belongs to others.
  if (existsSync(join(folder, "mappings")))
    throw new UsageError(
      `${folder} holds mappings already`,
      "Name a new folder with --dir, or leave it out.",
    );
  makeFolders(join(folder, "plans"));
  const emulator = await startEmulator({ masterData: {} });
  try {
    scenario("demo")?.prepare(emulator);
    return await new Demo(io, flags, folder, emulator).play();
  } finally {
    await emulator.close();
  }
}

class Demo {
  readonly #io: Io;
  readonly #flags: DemoFlags;
  readonly #folder: string;
  readonly #emulator: Emulator;
  #steps = 0;

  constructor(io: Io, flags: DemoFlags, folder: string, emulator: Emulator) {
    this.#io = io;
    this.#flags = flags;
    this.#folder = folder;
    this.#emulator = emulator;
  }

  async play(): Promise<number> {
    const { dev, prod } = { dev: this.#emulator.tenant("dev"), prod: this.#emulator.tenant("prod") };
    this.#say(`ferry ${toolVersion()}: a small company's data-quality configuration moves from dev to prod.`);
    this.#say(`Both environments are emulated at ${this.#emulator.url}; the files are in ${this.#folder}.`);
    this.#say(`dev has ${counts(dev.counts())}; prod has ${counts(prod.counts())}.`);

    this.#writePlan({ kinds: ["terms", "rules", "monitors", "dashboards", "term-assignments"] });
    this.#step("ferry diff demo", "What would happen? A dry run: the client it uses has no write methods.");
    const looked = await runDiff(this.#at("diff demo"), "demo", this.#common());
    this.#step("ferry sync demo --yes", "Do it: export, diff, apply, verify.");
    const first = await runApply(
      this.#at("sync demo --yes"),
      "demo",
      { ...this.#common(), yes: true },
      { command: "sync" },
    );
    this.#say(`\nprod has ${counts(prod.counts())} now.`);

    this.#step(
      "(in the web application)",
      "A person links the rules to their terms, as the hand-over lists; the tool cannot.",
    );
    const linked = this.#linkRules();
    this.#say(`${linked} rules linked to terms at prod.`);
    this.#writePlan({
      kinds: ["terms", "rules", "monitors", "dashboards", "term-assignments"],
      termLinks: "done",
    });
    this.#step("ferry sync demo --yes", "Now the terms can be assigned, and the rules follow them.");
    const second = await runApply(
      this.#at("sync demo --yes"),
      "demo",
      { ...this.#common(), yes: true },
      { command: "sync" },
    );

    this.#writePlan({ ...everything, termLinks: "done" });
    this.#step(
      "ferry sync demo --yes",
      "The rest of the catalog: folders, SQL items, data products and issues, what people wrote over tables and columns, stewards.",
    );
    const rest = await runApply(
      this.#at("sync demo --yes"),
      "demo",
      { ...this.#common(), yes: true },
      { command: "sync" },
    );

    const withRows = { ...everything, kinds: [...everything.kinds, "reference-data", "master-data"] };
    this.#writePlan({ ...withRows, termLinks: "done" });
    this.#step(
      "ferry diff demo --identify",
      "Rows, too. Which master would each new party join at prod, and why?",
    );
    const identified = await runDiff(this.#at("diff demo --identify"), "demo", {
      ...this.#common(),
      identify: true,
    });
    this.#step(
      "ferry sync demo --yes",
      "Two reference tables, one of them through a review; parties with their addresses; masters that people have authored.",
    );
    const rows = await runApply(
      this.#at("sync demo --yes"),
      "demo",
      { ...this.#common(), yes: true },
      { command: "sync" },
    );
    this.#step(
      "(in the web application)",
      "A person approves the review, and sets an override of a master, which no request sets.",
    );
    const reviews = [...prod.referenceData.reviews.keys()];
    for (const urn of reviews) decideReview(prod, urn, "approve");
    this.#overrideMasters();
    this.#say(`${reviews.length} review approved, an override set at prod.`);
    this.#step("ferry sync demo --yes", "What was approved is published.");
    const approved = await runApply(
      this.#at("sync demo --yes"),
      "demo",
      { ...this.#common(), yes: true },
      { command: "sync" },
    );

    this.#emulator.log.clear();
    this.#step("ferry sync demo --yes", "Once more: a second run writes nothing.");
    const third = await runApply(
      this.#at("sync demo --yes"),
      "demo",
      { ...this.#common(), yes: true },
      { command: "sync" },
    );
    const writes = this.#emulator.log.entries.filter(isWrite).length;

    // What detection found at dev it finds at prod: such assignments are not moved.
    this.#detectTerms();
    // Nobody has to wait for what is emulated.
    Object.assign(prod.quirks, { workflowRetryAfter: 0, workflowLooks: 1 });
    this.#step(
      "ferry parity demo --run",
      "The proof: do the moved monitors say the same as their originals? An import has lost customers at prod.",
    );
    const said = await runParity(this.#at("parity demo --run"), "demo", {
      ...this.#common(),
      run: true,
      tolerance: 0.5,
      samples: 0,
    });

    // The two rules from the condition builder cannot travel: each sync says so and is done in part.
    const fine =
      [looked, first, second, rest, identified, rows, approved, third].every(
        (code) => code === exitCodes.done || code === exitCodes.partial,
      ) &&
      writes === 0 &&
      said === exitCodes.expectation;
    this.#say(
      fine
        ? `\nEverything that can travel is at prod, verified; the last sync sent ${writes} writes. Two rules made in the condition builder wait for a person. One monitor says something else, and why.`
        : `\nThe demo did not end as it should (${[looked, first, second, rest, identified, rows, approved, third, said].join(", ")}; ${writes} writes in the last sync).`,
    );
    // In a clone nothing is called ferry: who ran the demo by npm runs the next command by npm.
    const ferry = this.#io.env["npm_lifecycle_event"] === undefined ? "ferry" : "npm run --silent ferry --";
    const [plans, mappings] = [join(this.#folder, "plans"), join(this.#folder, "mappings")];
    // Whole, to be copied.
    this.#io.stdout.write(
      `What was done, also from here: ${ferry} runs ${join(plans, "demo.yaml")} --work-dir ${plans} --mappings-dir ${mappings}\n` +
        `Look around: the report is ${join(plans, "demo", "report.html")}, the comparison ${join(plans, "demo", "parity.html")}, the mapping ${join(mappings, "dev--prod")}.\n`,
    );
    return fine ? exitCodes.done : exitCodes.failed;
  }

  #say(text: string): void {
    this.#io.stdout.write(`${inWords(text, this.#io.stdout)}\n`);
  }

  #step(command: string, why: string): void {
    this.#steps += 1;
    this.#say(`\n--- ${this.#steps}. ${command}\n    ${why}\n`);
  }

  /** The same world, seen from the demo's folder. */
  #at(words: string): Io {
    return { ...this.#io, cwd: this.#folder, words: words.split(" ") };
  }

  #common(): CommonFlags & { readonly quiet: true } {
    return {
      quiet: true,
      workDir: join(this.#folder, "plans"),
      mappingsDir: join(this.#folder, "mappings"),
      verbose: this.#flags.verbose,
      logFormat: "text",
      color: this.#flags.color,
      input: false,
    };
  }

  /** The plan as a person would write it; the secrets of the emulated environments are no secrets. */
  #writePlan(options: {
    readonly kinds: readonly string[];
    readonly entityTypes?: readonly string[];
    readonly termLinks?: string;
  }): void {
    const environment = (name: string): object => ({
      name,
      baseUrl: this.#emulator.baseUrl(name),
      realm: name,
      clientId: `${name}-client`,
      clientSecret: `${name}-secret`,
      masterData: {
        baseUrl: this.#emulator.masterDataUrl(name),
        username: `${name}-mdm`,
        password: `${name}-mdm-secret`,
      },
    });
    const plan = {
      version: 1,
      source: environment("dev"),
      target: environment("prod"),
      select: { kinds: options.kinds, entityTypes: options.entityTypes ?? [] },
      pairing: { ...demoPairing, queries: demoQueries },
      policy: { schedules: "disable", termLinks: options.termLinks ?? "pending" },
      limits: { quietPeriod: "1s" },
      records,
    };
    writeFileSync(join(this.#folder, "plans", "demo.yaml"), stringify(plan));
  }

  /** What a person does by hand: the overrides of dev's authored masters, at prod. */
  #overrideMasters(): void {
    const [dev, prod] = [this.#emulator.masterData("dev"), this.#emulator.masterData("prod")];
    for (const { authored, overrides } of dev.masters("party")?.rows ?? []) {
      if (authored === undefined || overrides === undefined) continue;
      for (const twin of masterDataBooks.findMasters(
        prod,
        "party",
        "cmo_code",
        authored.values["cmo_code"] ?? null,
      ))
        masterDataBooks.overrideMaster(prod, twin, overrides);
    }
  }

  /** Term detection runs at prod as it did at dev. */
  #detectTerms(): void {
    const [dev, prod] = [this.#emulator.tenant("dev"), this.#emulator.tenant("prod")];
    for (const { urn, termAssignments } of dev.attributes.values()) {
      for (const { termUrn, source } of termAssignments) {
        if (source !== "TERM_DETECTION") continue;
        const attribute = attributeLike(prod, dev, urn);
        const name = dev.terms.get(termUrn)?.published?.name;
        const term = [...prod.terms.values()].find(({ published }) => published?.name === name);
        if (attribute === undefined || term === undefined) continue;
        if (attribute.termAssignments.some((known) => known.termUrn === term.urn)) continue;
        seedAssignment(prod, { attributeUrn: attribute.urn, termUrn: term.urn, source });
      }
    }
  }

  /** What a person does by hand: dev's links, made again at prod between what has the same name and logic there. */
  #linkRules(): number {
    const [dev, prod] = [this.#emulator.tenant("dev"), this.#emulator.tenant("prod")];
    let linked = 0;
    for (const { termUrn, ruleUrn } of dev.termRuleLinks) {
      const term = [...prod.terms.values()].find(
        (candidate) => candidate.published?.name === dev.terms.get(termUrn)?.published?.name,
      );
      const wanted = dev.rules.get(ruleUrn)?.published;
      const rule = [...prod.rules.values()].find(
        ({ published }) => published?.name === wanted?.name && logic(published) === logic(wanted),
      );
      if (term === undefined || rule === undefined) continue;
      linkRuleToTerm(prod, { termUrn: term.urn, ruleUrn: rule.urn });
      linked += 1;
    }
    return linked;
  }
}

/** The twin of an attribute, by the names of its item and its own. */
function attributeLike(to: Tenant, from: Tenant, urn: string): Attribute | undefined {
  const wanted = from.attributes.get(urn);
  const item = from.items.get(wanted?.catalogItemUrn ?? "");
  return [...to.attributes.values()].find(
    ({ name, catalogItemUrn }) => name === wanted?.name && to.items.get(catalogItemUrn)?.name === item?.name,
  );
}

function logic(rule: object | undefined): string {
  return [...JSON.stringify(rule ?? {}).matchAll(/"stringExpression":"((?:[^"\\]|\\.)*)"/g)]
    .map((match) => match[1] ?? "")
    .toSorted((a, b) => a.localeCompare(b))
    .join("\n");
}

function counts({
  terms,
  rules,
  monitors,
  dashboards,
}: {
  terms: number;
  rules: number;
  monitors: number;
  dashboards: number;
}): string {
  return `${terms} terms, ${rules} rules, ${monitors} monitors (primary ones included), ${dashboards} dashboards`;
}

/** Everything but reading: filters and searches read by POST, and tokens change nothing. */
function isWrite({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return (
    method !== "GET" &&
    !/\/(?:(?:catalog-items|published|draft)\/filter|dq-evaluation\/bulk|search|identify)$/.test(path) &&
    !path.endsWith("/protocol/openid-connect/token")
  );
}
