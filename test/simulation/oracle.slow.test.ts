import { describe, expect, it } from "vitest";
import { registry } from "../../src/kinds/index.ts";
import type { EntityKind, MovedKind, Step as KindStep } from "../../src/kinds/kind.ts";
import { Registry } from "../../src/kinds/registry.ts";
import type { Invariant } from "./breach.ts";
import { anyRule as rule, anyTerm as term } from "./plain-estate.ts";
import { play } from "./round.ts";
import type { Staging } from "./scene.ts";
import type { Act, Command, Step, Story } from "./story.ts";
import { nothing } from "./telling.ts";
import { inWhole } from "../support/whole.ts";

/** A search that finds nothing is worth what it would find: each of these tools breaks one promise. */

const monitor = {
  item: 0,
  name: "Email",
  cron: undefined,
  instances: [{ rule: 0, name: undefined, mappings: [0], connected: [], values: [], thresholds: [] }],
  joins: [],
  thresholds: [50],
  exports: [],
};
const estate = { ...nothing, terms: [term], rules: [rule], monitors: [monitor] };

function step(command: Partial<Command> = {}, ...acts: readonly Act[]): Step {
  return {
    command: { does: "apply", allowDelete: false, verify: false, ...command } as Command,
    policy: {},
    acts: acts.map((act) => ({ ...act, when: { at: "before" } })),
    faults: [],
  };
}

function story(...steps: readonly Step[]): Story {
  const rest = { links: false, policy: {}, concurrency: 1, calm: {} };
  return { seed: 1, estate, there: nothing, assignments: [], steps, ...rest };
}

const there: Act = { side: "target", kind: "terms", how: "text", object: 0, value: 1 };
const here: Act = { ...there, side: "source" };

async function found(told: Story, staging: Staging = {}): Promise<readonly Invariant[]> {
  const { breaches } = await play(told, staging);
  return [...new Set(breaches.map(({ invariant }) => invariant))];
}

/** The tool, with one kind that does something else. */
function withKind(name: string, change: (kind: EntityKind) => Partial<EntityKind>): Staging {
  const changed = (kind: MovedKind): MovedKind =>
    kind.name === name && kind.mode === "entity" ? { ...kind, ...change(kind) } : kind;
  const kinds = new Registry([...registry.given(), ...registry.moved().map(changed)]);
  return { migration: { registry: kinds } };
}

describe("the search", () => {
  it("finds nothing where nothing is broken", async () => {
    expect(
      await found(story(step({}), step({}, here), step({ does: "rollback", allowDelete: true }))),
    ).toEqual([]);
    expect(await found(story(step({}), step({}, there)))).toEqual([]);
  });

  it("finds an object that is made twice", async () => {
    const twice = withKind("rules", ({ create: [first, ...rest] }) => ({
      create: [
        {
          ...first,
          async send(client, items) {
            await first.send(client, items);
            return first.send(client, items);
          },
        },
        ...rest,
      ],
    }));
    expect(await found(story(step()), twice)).toContain("made-twice");
  });

  inWhole("finds an object that was never made, and one that was made with something missing", async () => {
    const lost = withKind("rules", () => ({ accept: () => undefined }));
    expect(await found(story(step()), lost)).toContain("lost");
    const thin = withKind("terms", (kind) => ({
      accept(body, context) {
        const { description: _lost, ...rest } = body;
        return kind.accept(rest, context);
      },
    }));
    expect(await found(story(step()), thin)).toContain("wrong-content");
  });

  it("finds a colleague's word that is overwritten", async () => {
    const blunt: Staging = { policy: { drift: "overwrite", conflict: "source-wins" } };
    expect(await found(story(step(), step({}, there)), blunt)).toContain("overwritten");
  });

  inWhole("finds a deletion that nobody allowed, and one of what a colleague uses", async () => {
    const during: Staging = {
      during: ({ books }) =>
        void [...books.target.terms.values()].map(({ urn }) => books.target.terms.delete(urn)),
    };
    expect(await found(story(step()), during)).toContain("deleted");
    const used: Act = { ...there, kind: "attributes", how: "use" };
    const removed: Act = { ...here, how: "remove" };
    const late: Staging = {
      during({ books, accounts }) {
        const assigned = [...accounts.byUrn.values()].some(
          ({ kind, touchedAt }) => kind === "attributes" && touchedAt.size > 0,
        );
        if (!assigned) return;
        for (const { urn } of books.target.terms.values()) books.target.terms.delete(urn);
      },
    };
    expect(await found(story(step(), step({ allowDelete: true }, used, removed)), late)).toContain(
      "deleted-though-used",
    );
  });

  it("finds a draft of a colleague that is published", async () => {
    const send: KindStep["send"] = async (client, items) => {
      for (const { target, body } of items) {
        await client.quality.patchRule(target ?? "", body);
        await client.quality.publishRule(target ?? "");
      }
      return items.map(({ target }) => ({ state: "done", target: target ?? "" }));
    };
    const blind = withKind("rules", ({ update }) => ({
      draft: async () => undefined,
      update: update === undefined ? undefined : [{ ...update[0], send }],
    }));
    const drafted: Act = { ...there, kind: "rules", how: "draft" };
    const edited: Act = { ...here, kind: "rules" };
    expect(await found(story(step(), step({}, drafted, edited)), blind)).toEqual(
      expect.arrayContaining(["draft-published"]),
    );
  });

  it("finds a write to the source", async () => {
    const writes: Staging = {
      during({ books }) {
        for (const row of books.source.terms.values()) books.source.terms.put({ ...row });
      },
    };
    expect(await found(story(step()), writes)).toContain("source-written");
  });

  it("finds an exit code that does not say the truth", async () => {
    const rosy: Staging = { result: (result) => ({ ...result, exitCode: 0 }) };
    expect(await found(story(step(), step({}, there)), rosy)).toContain("exit-code");
    const gloomy: Staging = { result: (result) => ({ ...result, exitCode: 6 }) };
    expect(await found(story(step()), gloomy)).toContain("exit-code");
  });

  it("finds an error that nobody expected", async () => {
    const broken: Staging = {
      result: () => {
        throw new TypeError("it is not a function");
      },
    };
    expect(await found(story(step()), broken)).toContain("defect");
  });

  it("finds that it does not come to rest", async () => {
    let count = 0;
    const restless: Staging = {
      during({ books }) {
        for (const row of books.target.terms.values()) {
          const { published } = row;
          count += 1;
          if (published !== undefined)
            books.target.terms.put({ ...row, published: { ...published, description: `${count}` } });
        }
      },
    };
    expect(await found(story(step()), restless)).not.toEqual([]);
  });
});
