import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JournalRecord } from "../../src/model/journal.ts";
import { openJournal, readJournal } from "../../src/store/files/index.ts";
import { collect, parties, tool } from "../store/files/support.ts";

/**
 * Whole lines are what an editor, a merge or a script puts in, takes out and moves: each of them is right for itself.
 * Only the end of a file says nothing about what stood behind it.
 */
let folder = "";
let path = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ferry-lines-"));
  path = join(folder, "journal.ndjson");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Records that may be equal to each other, as two failed attempts at one thing are. */
const record: fc.Arbitrary<JournalRecord> = fc.record({
  type: fc.constant("end" as const),
  run: fc.constantFrom("r1", "r2"),
  at: fc.constantFrom("one", "another"),
  exitCode: fc.nat(2),
});
const groups = fc.array(fc.array(record, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 });

/** The lines of a new journal, the header first, each with its line feed. */
async function lines(lists: readonly (readonly JournalRecord[])[]): Promise<readonly string[]> {
  rmSync(path, { force: true });
  const { journal } = await openJournal(path, { tool, parties });
  for (const list of lists) await journal.appendAll(list);
  await journal.close();
  return linesOf(readFileSync(path, "utf8"));
}

function linesOf(content: string): readonly string[] {
  return content.match(/.*\n/g) ?? [];
}

/** From a line to another, the header never among them. */
function range(whole: readonly string[], from: number, length: number): readonly [number, number] {
  const begin = 1 + (from % (whole.length - 1));
  return [begin, Math.min(whole.length, begin + 1 + (length % 3))];
}

/** Refused by whoever reads, naming a line from `first` on, and left as it is. */
async function expectRefused(edited: readonly string[], first: number): Promise<void> {
  const content = edited.join("");
  writeFileSync(path, content);
  const found = await openJournal(path, { tool, parties }).catch((error: unknown) => error);
  expect(found, content).toMatchObject({ code: "journal-damaged" });
  const line = Number(/at line (\d+):/.exec(String(found))?.[1]);
  expect(line).toBeGreaterThanOrEqual(first + 1);
  expect(line).toBeLessThanOrEqual(edited.length);
  expect(readFileSync(path, "utf8"), "nothing is cut").toBe(content);
  await expect(collect(readJournal(path, { parties }))).rejects.toMatchObject({ code: "journal-damaged" });
}

describe("whole lines", () => {
  it("that were cut out are missed, but at the very end", async () => {
    await fc.assert(
      fc.asyncProperty(groups, fc.nat(), fc.nat(), async (lists, from, length) => {
        const whole = await lines(lists);
        const [begin, end] = range(whole, from, length);
        const edited = [...whole.slice(0, begin), ...whole.slice(end)];
        if (end < whole.length) return expectRefused(edited, begin);
        writeFileSync(path, edited.join(""));
        expect(await collect(readJournal(path, { parties }))).toEqual(lists.flat().slice(0, begin - 1));
      }),
      { numRuns: 150 },
    );
  });

  it("that stand there twice are refused, wherever the second ones stand", async () => {
    await fc.assert(
      fc.asyncProperty(groups, fc.nat(), fc.nat(), fc.nat(), async (lists, from, length, where) => {
        const whole = await lines(lists);
        const [begin, end] = range(whole, from, length);
        const at = 1 + (where % whole.length);
        await expectRefused([...whole.slice(0, at), ...whole.slice(begin, end), ...whole.slice(at)], at);
      }),
      { numRuns: 150 },
    );
  });

  it("in another order are refused", async () => {
    await fc.assert(
      fc.asyncProperty(groups, fc.nat(), fc.nat(), fc.nat(), async (lists, from, length, where) => {
        const whole = await lines(lists);
        const [begin, end] = range(whole, from, length);
        const rest = [...whole.slice(0, begin), ...whole.slice(end)];
        const at = 1 + (where % rest.length);
        const edited = [...rest.slice(0, at), ...whole.slice(begin, end), ...rest.slice(at)];
        if (at !== begin) await expectRefused(edited, Math.min(at, begin));
      }),
      { numRuns: 150 },
    );
  });

  it("of another journal of the same environments are refused, one by one and as a tail", async () => {
    await fc.assert(
      fc.asyncProperty(groups, fc.nat(), fc.nat(), fc.nat(), async (lists, from, length, where) => {
        const other = await lines(lists);
        const whole = await lines(lists);
        const [begin, end] = range(other, from, length);
        const at = 1 + (where % whole.length);
        await expectRefused([...whole.slice(0, at), ...other.slice(begin, end), ...whole.slice(at)], at);
        await expectRefused([...whole.slice(0, begin), ...other.slice(begin)], begin);
        await expectRefused([other[0] ?? "", ...whole.slice(1)], 1);
      }),
      { numRuns: 75 },
    );
  });

  it("that stand before a journal's restart do not belong behind it", async () => {
    const { journal } = await openJournal(path, { tool, parties }).catch(async () => {
      rmSync(path);
      return openJournal(path, { tool, parties });
    });
    const end: JournalRecord = { type: "end", run: "r", at: "t", exitCode: 0 };
    await journal.restart();
    await journal.append(end);
    const before = linesOf(readFileSync(path, "utf8"));
    await journal.restart();
    const after = linesOf(readFileSync(path, "utf8"));
    await journal.append(end);
    await journal.close();
    await expectRefused([...after, ...before.slice(1)], 1);
  });

  it("that were cut out before a tail that is torn by nothing but its line feed are missed", async () => {
    const end: JournalRecord = { type: "end", run: "r", at: "t", exitCode: 0 };
    const whole = await lines([[end], [end], [end]]);
    await expectRefused([...whole.slice(0, 2), (whole[3] ?? "").slice(0, -1)], 2);
  });
});

describe("other line ends", () => {
  const spellings: Readonly<Record<string, (content: string) => string>> = {
    CRLF: (content) => content.replaceAll("\n", "\r\n"),
    "a byte order mark": (content) => `\uFEFF${content}`,
    both: (content) => `\uFEFF${content.replaceAll("\n", "\r\n")}`,
  };

  it.each(Object.entries(spellings))(
    "%s: read, and put right before anything is added",
    async (_, respell) => {
      await fc.assert(
        fc.asyncProperty(groups, record, async (lists, last) => {
          const content = respell((await lines(lists)).join(""));
          writeFileSync(path, content);
          expect(await collect(readJournal(path, { parties }))).toEqual(lists.flat());
          expect(readFileSync(path, "utf8"), "a reader changes nothing").toBe(content);
          const { records, journal, cut } = await openJournal(path, { tool, parties });
          expect(records).toEqual(lists.flat());
          expect(cut).toBeUndefined();
          await journal.append(last);
          expect(journal.bytes).toBe(readFileSync(path).length);
          await journal.close();
          expect(readFileSync(path, "utf8")).not.toMatch(/\r|\uFEFF/);
          expect(await collect(readJournal(path, { parties }))).toEqual([...lists.flat(), last]);
        }),
        { numRuns: 30 },
      );
    },
  );

  it("CRLF and a torn tail: the tail is cut all the same", async () => {
    const end: JournalRecord = { type: "end", run: "r", at: "t", exitCode: 0 };
    const whole = (await lines([[end], [end]])).join("").replaceAll("\n", "\r\n");
    for (const missing of [1, 2, 3, 20]) {
      writeFileSync(path, whole.slice(0, -missing));
      const { records, journal, cut } = await openJournal(path, { tool, parties });
      await journal.close();
      expect(records).toEqual([end]);
      expect(cut?.bytes).toBeGreaterThan(0);
    }
  });

  it("CRLF and lines that are missing: refused", async () => {
    const end: JournalRecord = { type: "end", run: "r", at: "t", exitCode: 0 };
    const whole = await lines([[end], [end], [end]]);
    const edited = [...whole.slice(0, 2), ...whole.slice(3)];
    await expectRefused(
      edited.map((line) => line.replace("\n", "\r\n")),
      2,
    );
  });
});
