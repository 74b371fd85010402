import { describe, expect, test } from "vitest";
import { applyPlan } from "../../../src/operations/apply.ts";
import { removeMappings } from "../../../src/operations/mappings.ts";
import { leaveDashboardDraft, leaveRuleDraft } from "../../../src/emulator/seed.ts";
import {
  instanceOf,
  seedDashboard,
  seedFolder,
  seedMonitor,
  seedRule,
  seedTerm,
} from "../../diff/support/content.ts";
import { writes } from "../../diff/support/log.ts";
import { apply, type Stage, stage } from "../../diff/support/run.ts";
import type { Side } from "../../diff/support/side.ts";
import {
  editDashboard,
  editFolder,
  editMonitor,
  editRule,
  editTerm,
  nameItem,
  removeFolder,
  removeTerm,
} from "../../diff/support/web.ts";
import type { Result } from "../../../src/model/result.ts";
import type { PlanChanges } from "../../support/world.ts";
import { isAsBefore } from "./support.ts";

const kinds = ["terms", "rules", "monitors", "dashboards", "folders", "item-metadata", "stewardship"];

/** What people do at a side, each so that it can be done again and again. */
const acts: Readonly<Record<string, (side: Side, turn: string) => void>> = {
  "edits a term": (side, turn) => editTerm(side, side.term("Alpha"), { description: turn }),
  "gives a term another type": (side, turn) => editTerm(side, side.term("Beta"), { type: `t${turn}` }),
  "makes a term": (side, turn) => void seedTerm(side, `Term ${turn}`),
  "removes a term": (side, turn) => {
    seedTerm(side, `Short ${turn}`);
    removeTerm(side, side.term(`Short ${turn}`));
  },
  "edits a rule": (side, turn) => {
    editRule(side, side.rule("Email is set"), { description: turn });
  },
  "makes a rule": (side, turn) => void seedRule(side, `Rule ${turn}`),
  "edits a monitor": (side, turn) => {
    editMonitor(side, side.monitor("Customer e-mail"), { description: turn });
  },
  "adds an instance to a monitor": (side, turn) => {
    const instance = instanceOf(side, side.rule("Email is set"), `Instance ${turn}`);
    editMonitor(side, side.monitor("Customer e-mail"), { ruleInstances: { [`new ${turn}`]: instance } });
  },
  "edits a dashboard": (side, turn) => editDashboard(side, side.dashboard("Quality"), { description: turn }),
  "makes a folder": (side, turn) => void seedFolder(side, `Folder ${turn}`),
  "edits a folder": (side, turn) => {
    editFolder(side, side.folder("Places"), { description: turn });
  },
  "makes and removes a folder": (side, turn) => {
    removeFolder(side, seedFolder(side, `Short ${turn}`));
  },
  "renames a table and back": (side) => {
    nameItem(side, side.item("PRODUCT"), "PRODUCTS");
    nameItem(side, side.item("PRODUCTS"), "PRODUCT");
  },
  "leaves a draft of a rule": (side, turn) => {
    leaveRuleDraft(side.tenant, side.rule("Alone"), "CHANGE", { description: `draft ${turn}` });
  },
  "leaves a draft of a dashboard": (side, turn) => {
    leaveDashboardDraft(side.tenant, side.dashboard("Alone"), "CHANGE", { description: `draft ${turn}` });
  },
  nothing: () => {},
};

async function opened(): Promise<Stage> {
  const at = await stage();
  for (const name of ["Alpha", "Beta", "Gamma"]) seedTerm(at.source, name);
  const rule = seedRule(at.source, "Email is set");
  seedMonitor(at.source, rule, "Customer e-mail");
  // Nobody edits these: who has a draft open keeps the tool from writing.
  seedRule(at.source, "Alone");
  seedDashboard(at.source, "Alone");
  seedDashboard(at.source, "Quality");
  seedFolder(at.source, "Places");
  return at;
}

const plan: PlanChanges = { select: { kinds } };

/** All that a person is told, but for how it is known. */
function toldOf({ durationMs: _durationMs, diagnostics, ...others }: Result): unknown {
  const told = diagnostics.filter(({ code }) => code !== "as-before");
  return JSON.parse(JSON.stringify({ ...others, diagnostics: told }));
}

/** A small stream of numbers that a test can name. */
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % most;
  };
}

describe("a run that says that all is as before", () => {
  test.each([1, 2, 3, 4])("is right, whatever people do (%i)", async (seed) => {
    const at = await opened();
    const { work } = at.world.migration(plan).store;
    const next = numbers(seed);
    const seen = { asBefore: 0, whole: 0 };
    const policy = { adopt: "by-name", drift: "overwrite", conflict: "source-wins" } as const;
    const wanted: PlanChanges = { ...plan, policy };
    for (let turn = 0; turn < 16; turn += 1) {
      // It comes to rest, and a look is kept.
      for (let run = 0; run < 3; run += 1) await apply(at, wanted);
      const names = Object.keys(acts);
      const name = names[next(names.length)] ?? "";
      const side = next(2) === 0 ? at.source : at.target;
      acts[name]?.(side, `${seed}-${turn}`);
      if (next(8) === 0) await removeMappings(at.world.migration(wanted), [at.source.term("Alpha")]);
      const result = await apply(at, wanted, { confirm: async () => false }).catch(() => undefined);
      if (result === undefined || !isAsBefore(result)) {
        seen.whole += 1;
        continue;
      }
      seen.asBefore += 1;
      await work.saveLook(undefined);
      const whole = await applyPlan(at.world.migration(wanted), { confirm: async () => false });
      expect([name, toldOf(whole)]).toEqual([name, toldOf(result)]);
      expect(writes(at.world)).toEqual([]);
    }
    // Neither is rare, or this shows nothing.
    expect(Math.min(seen.asBefore, seen.whole)).toBeGreaterThan(2);
  });
});
