import { describe, expect, test } from "vitest";
import { z } from "zod";
import { registry } from "../../src/kinds/index.ts";
import { monitors } from "../../src/kinds/monitors.ts";
import { primaryMonitors } from "../../src/kinds/primary-monitors.ts";
import { Registry } from "../../src/kinds/registry.ts";
import { sources } from "../../src/kinds/sources.ts";
import type { PlanSection } from "../../src/plan/section.ts";
import { settingsTable } from "../../src/plan/section.ts";
import { duration } from "../../src/plan/values.ts";
import { planForm } from "../../src/plan/schema.ts";
import { least, load, problems } from "./support.ts";

declare module "../../src/model/plan.ts" {
  interface Plan {
    readonly parcels?: readonly { readonly name: string }[];
  }
  interface Selection {
    readonly shapes?: readonly string[];
  }
  interface Limits {
    readonly ripeningMs?: number;
  }
}

/** A section as a kind to come may have one: a key in each part, and something no schema can say. */
const section = {
  top: { parcels: { schema: z.array(z.strictObject({ name: z.string() })).optional() } },
  select: { shapes: { schema: z.array(z.string()).optional(), after: "kinds" } },
  limits: { ripeningMs: { schema: duration.prefault("30s"), written: "ripening", after: "concurrency" } },
  check: ({ select, parcels }) =>
    parcels === undefined || select.shapes !== undefined
      ? []
      : [
          {
            path: "parcels",
            summary: '"parcels" says nothing without "select.shapes"',
            suggestion: "Add it.",
          },
        ],
} satisfies PlanSection;

const sections = [...registry.sections(), section];

describe("what a kind lets a plan say", () => {
  test("is read, filled in, and found under the program's words", () => {
    const text = `${least}select: { shapes: [round] }\nparcels: [ { name: a } ]\nlimits: { ripening: 2m }\n`;
    const { plan } = load(text, { sections });
    expect(plan.parcels).toEqual([{ name: "a" }]);
    expect(plan.select.shapes).toEqual(["round"]);
    expect(plan.limits).toMatchObject({ ripeningMs: 120_000, concurrency: 8 });
    const { plan: bare } = load(least, { sections });
    expect(bare.limits.ripeningMs).toBe(30_000);
    expect(Object.keys(bare)).not.toContain("parcels");
    expect(Object.keys(bare.select)).not.toContain("shapes");
  });

  test("is an unknown key where the kind is not there", () => {
    const of = (text: string): readonly string[] => problems(text).map(({ summary }) => summary);
    expect(of(`${least}limits: { ripening: 2m }\n`)).toEqual(['unknown key "limits.ripening"']);
    const [problem] = problems(`${least}policy: { schedules: keep }\n`, { sections: [] });
    expect(problem?.summary).toBe('unknown key "policy.schedules"');
    expect(problem?.suggestion).toBe(
      "Known keys here: adopt, drift, conflict, missingTarget, targetOnly, replace, ignoreFields.",
    );
  });

  test("is suggested, and stands where its section says", () => {
    const [near] = problems(`${least}parcles: []\n`, { sections });
    expect(near).toMatchObject({ path: "parcles", line: 14, suggestion: "Did you mean parcels?" });
    const [far] = problems(`${least}limits: { colour: red }\n`, { sections });
    expect(far?.suggestion).toBe(
      "Known keys here: concurrency, ripening, requestTimeout, quietPeriod, answerSize, attributesWait, workflow, badRows, publishWait.",
    );
    const [deep] = problems(`${least}parcels: [ { name: a, nmae: b } ]\n`, { sections });
    expect(deep).toMatchObject({ path: "parcels[0].nmae", suggestion: "Did you mean name?" });
    expect(planForm(sections).keys["select"]).toEqual([
      "kinds",
      "shapes",
      "entityTypes",
      "include",
      "exclude",
      "dependencies",
    ]);
  });

  test("is checked across its keys, with the line, together with what else is wrong", () => {
    const found = problems(`${least}parcels: []\nselect:\n  kinds: [nothing]\n`, { sections });
    expect(found).toMatchObject([
      { path: "select.kinds[0]", line: 16 },
      { path: "parcels", line: 14, summary: '"parcels" says nothing without "select.shapes"' },
    ]);
  });

  test("has its keys shown in a line that is broken, and its values not", () => {
    const [problem] = problems(`${least}parcels: [ { name: hidden\n`, { sections });
    expect(JSON.stringify(problem)).not.toContain("hidden");
    const [broken] = problems(`${least}parcels: [ { name: hidden: x } ]\n`, { sections });
    expect(broken?.excerpt?.[0]).toBe("14 | parcels: [ { name: ******* * } ]");
    // The name of a variable is no secret; what is behind it, or around it, may be.
    const [named] = problems(`${least}parcels: [ { name: \${PARCEL}, name: a\${B}: hidden } ] # hidden\n`, {
      sections,
    });
    expect(named?.excerpt?.[0]).toBe("14 | parcels: [ { name: ${PARCEL}, name: ****** ****** } ] # ...");
  });
});

describe("a key that two kinds share", () => {
  test("is one and the same setting", () => {
    expect(new Registry([sources]).sections()).toEqual([sources.settings]);
    expect(settingsTable([{ ...primaryMonitors.settings }, { ...monitors.settings }]).policy).toHaveLength(1);
  });

  test("with two meanings is a defect that shows at start", () => {
    const other: PlanSection = { policy: { schedules: { schema: z.enum(["keep", "disable"]) } } };
    const twisted = { ...sources, settings: other };
    const kept = { ...sources, name: "others", settings: monitors.settings ?? {} };
    expect(() => new Registry([twisted, kept])).toThrow("the plan's key policy.schedules has two meanings");
    const word: PlanSection = { limits: { ripeningMs: { schema: z.number(), written: "concurrency" } } };
    expect(() => planForm([word])).toThrow("the plan's key limits.concurrency has two meanings");
  });
});
