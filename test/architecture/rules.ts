import type { Import, Module } from "./modules.ts";

/** What a folder may import, and what it means when it imports something else. */
export interface ImportRule {
  /** A folder, or a file. */
  readonly of: string;
  readonly may: readonly string[];
  /** Of these only types, which are gone when the program runs. */
  readonly mayTypes?: readonly string[];
  readonly meaning: string;
}

/**
 * Imports run one way. A path that ends with a slash is a folder; packages and Node's own modules
 * are ruled below.
 */
export const importRules: readonly ImportRule[] = [
  {
    of: "src/model/",
    may: ["src/model/"],
    meaning: "the vocabulary is what everything else is built on: what it needs of others is no vocabulary",
  },
  {
    of: "src/service/",
    may: ["src/service/", "src/model/"],
    meaning: "the client knows requests and answers, not what they are for",
  },
  {
    of: "src/store/",
    may: ["src/store/", "src/model/"],
    meaning: "what is on disk must be readable without knowing who wrote it or why",
  },
  {
    of: "src/plan/",
    may: ["src/plan/", "src/model/"],
    meaning: "a plan is read and checked before anything is opened",
  },
  {
    of: "src/kinds/shared/",
    may: [
      "src/kinds/shared/",
      "src/kinds/kind.ts",
      "src/plan/section.ts",
      "src/plan/values.ts",
      "src/plan/plan-error.ts",
      "src/model/",
      "src/service/",
    ],
    meaning: "what kinds share must not depend on one of them",
  },
  {
    of: "src/kinds/checks/",
    may: ["src/kinds/kind.ts", "src/kinds/shared/", "src/model/"],
    meaning: "a check is a pure function of the diff: kinds have it, and it has none of them",
  },
  {
    of: "src/kinds/contract/",
    may: ["src/model/", "src/kinds/contract/"],
    mayTypes: ["src/service/"],
    meaning: "the contract is types alone, so that whoever keeps it depends on nothing else",
  },
  {
    of: "src/kinds/kind.ts",
    may: ["src/model/"],
    mayTypes: ["src/service/", "src/plan/section.ts", "src/kinds/contract/"],
    meaning: "the contract is types alone, so that whoever keeps it depends on nothing else",
  },
  {
    of: "src/kinds/trouble.ts",
    may: ["src/model/", "src/service/"],
    meaning: "it says in the engine's words what the client's errors mean, and nothing else",
  },
  {
    of: "src/kinds/registry.ts",
    may: ["src/kinds/kind.ts", "src/plan/section.ts"],
    meaning: "the registry holds whatever kinds it is given",
  },
  {
    of: "src/kinds/index.ts",
    may: ["src/kinds/"],
    meaning: "the list of kinds is one line a kind",
  },
  {
    of: "src/kinds/",
    may: [
      "src/kinds/kind.ts",
      "src/kinds/shared/",
      "src/kinds/checks/",
      "src/plan/section.ts",
      "src/plan/values.ts",
      "src/plan/plan-error.ts",
      "src/model/",
      "src/service/",
    ],
    meaning: "a kind never imports another kind: it could not be added, changed or taken out alone",
  },
  {
    of: "src/engine/",
    may: ["src/engine/", "src/model/", "src/kinds/kind.ts", "src/kinds/registry.ts", "src/kinds/trouble.ts"],
    mayTypes: ["src/service/", "src/store/"],
    meaning: "the engine knows the contract of kinds, never a kind, HTTP or a disk layout",
  },
  {
    of: "src/emulator/",
    may: ["src/emulator/", "src/model/urn.ts"],
    meaning: "it is written from the documents and not from the client, so that the two check each other",
  },
  {
    of: "src/report/",
    may: ["src/report/", "src/model/"],
    meaning: "a report is made of a result alone, so that one on disk can be shown again",
  },
  {
    of: "src/operations/",
    may: [
      "src/operations/",
      "src/engine/",
      "src/kinds/kind.ts",
      "src/kinds/registry.ts",
      "src/kinds/trouble.ts",
      "src/model/",
      "src/plan/",
      "src/service/",
      "src/store/index.ts",
    ],
    meaning:
      "what a command does must be there for programs, without the command line, without a report, and whatever the store is made of",
  },
  {
    of: "src/cli/",
    may: [
      "src/cli/",
      "src/emulator/",
      "src/engine/",
      "src/operations/",
      "src/kinds/",
      "src/model/",
      "src/plan/",
      "src/report/",
      "src/service/",
      "src/store/index.ts",
    ],
    meaning: "the command line is at the top: it never imports what starts it",
  },
];

/** Who may import a package, or a module of Node that reaches outside. What is not named here is free. */
export const packageRules: readonly {
  readonly of: string;
  readonly only: readonly string[];
  readonly meaning: string;
}[] = [
  {
    of: "node:fs",
    only: ["src/store/files/node-disk.ts", "src/cli/", "src/plan/load.ts", "src/plan/read-text.ts"],
    meaning:
      "files are the store's business. Others that may: the command line (plans, templates, reports) and the reading of plans",
  },
  {
    of: "node:fs/promises",
    only: ["src/store/files/node-disk.ts"],
    meaning: "files are the store's business, and it reaches them through the disk that it is handed",
  },
  {
    of: "node:sqlite",
    only: ["src/store/files/node-lock.ts"],
    meaning: "a data base holds the lock and nothing else",
  },
  { of: "node:http", only: ["src/emulator/http/"], meaning: "the client speaks through ky" },
  {
    of: "ky",
    only: ["src/service/"],
    meaning: "requests are sent by the client alone: it retries, counts and redacts",
  },
  { of: "lowdb", only: ["src/store/"], meaning: "mapping files are the store's business" },
  { of: "hono", only: ["src/emulator/"], meaning: "only the emulator serves" },
  { of: "@hono/node-server", only: ["src/emulator/"], meaning: "only the emulator serves" },
  { of: "yaml", only: ["src/plan/", "src/cli/"], meaning: "plans are the only YAML" },
  { of: "winston", only: ["src/cli/"], meaning: "the rest reports progress and logs nothing" },
  { of: "commander", only: ["src/cli/"], meaning: "only the command line reads arguments" },
  { of: "@commander-js/extra-typings", only: ["src/cli/"], meaning: "only the command line reads arguments" },
  {
    of: "node:child_process",
    only: ["src/main.ts"],
    meaning: "the tool starts no other program than the one that shows a person a report",
  },
  { of: "node:process", only: [], meaning: "the process is main.ts's business, and it uses the global" },
];

/** Members of `process` outside main.ts, each with its reason. */
export const processUses: readonly {
  readonly of: string;
  readonly members: readonly string[];
  readonly reason: string;
}[] = [
  { of: "src/operations/run.ts", members: ["pid"], reason: "the lock says which process holds it" },
  {
    of: "src/store/files/temporary.ts",
    members: ["pid", "kill"],
    reason: "leftovers of a killed run are told from files in use",
  },
  {
    of: "src/store/files/node-disk.ts",
    members: ["platform"],
    reason: "folders cannot be synchronised on Windows",
  },
];

export function covers(pattern: string, path: string): boolean {
  return pattern.endsWith("/") ? path.startsWith(pattern) : path === pattern;
}

/** The rule of a file is the most special one that covers it. */
export function ruleOf(path: string): ImportRule | undefined {
  return importRules
    .filter((rule) => covers(rule.of, path))
    .sort((left, right) => right.of.length - left.of.length)[0];
}

function packageRule(target: string): (typeof packageRules)[number] | undefined {
  return (
    packageRules.find(({ of }) => target === of) ?? packageRules.find(({ of }) => target.startsWith(`${of}/`))
  );
}

function allowed(rule: ImportRule, { target, typeOnly }: Import): boolean {
  if (!target.startsWith("src/")) return true;
  if (rule.may.some((pattern) => covers(pattern, target))) return true;
  return typeOnly && (rule.mayTypes ?? []).some((pattern) => covers(pattern, target));
}

/** What breaks a rule, one line each, with what it means. */
export function breaches(module: Module): readonly string[] {
  const { path, imports } = module;
  const found: string[] = [];
  const rule = ruleOf(path);
  for (const entry of imports) {
    if (rule !== undefined && !allowed(rule, entry)) {
      found.push(`${path} imports ${entry.target}${entry.typeOnly ? " (types)" : ""}: ${rule.meaning}`);
    }
    const outside = packageRule(entry.target);
    if (outside !== undefined && !entry.typeOnly && !outside.only.some((pattern) => covers(pattern, path))) {
      found.push(`${path} imports ${entry.target}: ${outside.meaning}`);
    }
  }
  const members = processUses.find(({ of }) => of === path)?.members ?? [];
  for (const member of module.process) {
    if (path === "src/main.ts" || members.includes(member)) continue;
    found.push(
      `${path} uses process.${member}: only main.ts touches the process, so that the rest can be run by programs and tests`,
    );
  }
  if (module.lines > 400)
    found.push(`${path} has ${module.lines} lines: past 400 a file is asking to be two`);
  return found;
}
