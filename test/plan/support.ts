import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { registry } from "../../src/kinds/index.ts";
import type { LoadedPlan } from "../../src/plan/load.ts";
import { loadPlan } from "../../src/plan/load.ts";
import type { PlanSection } from "../../src/plan/section.ts";
import type { PlanProblem } from "../../src/plan/plan-error.ts";
import { PlanError } from "../../src/plan/plan-error.ts";

export const env = {
  DEV_ID: "dev-id",
  DEV_SECRET: "dev secret",
  PROD_ID: "prod-id",
  PROD_SECRET: "prod secret",
};

/** The least that a plan says: lines 1 to 13. */
export const least = `version: 1
source:
  name: dev
  baseUrl: https://dev.example.com
  realm: acme
  clientId: \${DEV_ID}
  clientSecret: \${DEV_SECRET}
target:
  name: prod
  baseUrl: https://prod.example.com
  realm: acme
  clientId: \${PROD_ID}
  clientSecret: \${PROD_SECRET}
`;

export function plus(part: string): string {
  return `${least}${part}`;
}

export interface LoadSettings {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly name?: string;
  /** What kinds let a plan say; those of the registry when left out. */
  readonly sections?: readonly PlanSection[];
  /** Files beside the plan. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Loads a plan file with this text. */
export function load(text: string, settings: LoadSettings = {}): LoadedPlan {
  const folder = mkdtempSync(join(tmpdir(), "ferry-plan-"));
  const name = settings.name ?? "move.yaml";
  try {
    for (const [file, content] of Object.entries({ ...settings.files, [name]: text })) {
      writeFileSync(join(folder, file), content);
    }
    return loadPlan({
      plan: name,
      cwd: folder,
      folder: join(folder, "plans"),
      env: { ...env, ...settings.env },
      selectable: registry.selectable(),
      sections: settings.sections ?? registry.sections(),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What is wrong with it. */
export function problems(text: string, settings: LoadSettings = {}): readonly PlanProblem[] {
  try {
    load(text, settings);
  } catch (error) {
    if (error instanceof PlanError) return error.problems;
    throw error;
  }
  throw new Error("the plan was taken");
}

/**
 * The same without column and line itself, once these are seen to be right: the caret stands under the column, and the
 * line is the one that is named.
 */
export function placed(found: readonly PlanProblem[]): readonly PlanProblem[] {
  return found.map(({ column, excerpt, ...problem }) => {
    if (problem.line === undefined) return problem;
    const [shown = "", caret = ""] = excerpt ?? [];
    const label = `${problem.line} | `;
    expect(shown.startsWith(label)).toBe(true);
    expect(caret.indexOf("^") - label.length).toBe((column ?? 0) - 1);
    return problem;
  });
}
