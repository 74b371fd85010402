import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { furnish } from "../../cli/support/little.ts";
import { Stage } from "../../cli/support/stage.ts";
import { hurry } from "./fast.ts";
import type { Answer } from "./front.ts";
import { Front } from "./front.ts";
import type { Expected } from "./judge.ts";
import { judge } from "./judge.ts";
import { allOr } from "../../support/whole.ts";

/**
 * A line of the table: what is tried, where and how it is answered there, the command that meets it, the exit code and
 * what a person reads; `writes` where something is
 * written at the target all the same, `unheard` where the request never reaches the service.
 */
export type AnswerRow = readonly [
  what: string,
  at: string,
  answer: Answer,
  command: string,
  code: number,
  says: Expected["says"],
  how?: "writes" | "unheard",
];

const catalog = "/api/catalog/v1";
const quality = "/api/data-quality/v1";

/** The places by their short names; a side stands before them, as in `dev rules`. */
const places: Readonly<Record<string, string>> = {
  token: "POST /auth/realms/*/protocol/openid-connect/token",
  terms: `GET ${catalog}/terms`,
  "create terms": `POST ${catalog}/terms/bulk`,
  items: `POST ${catalog}/catalog-items/filter`,
  rules: `GET ${quality}/rules`,
  "create rules": `POST ${quality}/rules/batch/create`,
  monitors: `GET ${quality}/dq-monitors`,
  "create monitors": `POST ${quality}/dq-monitors/batch/create`,
  dashboards: `GET ${quality}/dq-dashboards`,
  "create dashboard": `POST ${quality}/dq-dashboards`,
  "publish dashboard": `POST ${quality}/dq-dashboards/*/publish`,
};

/** Each row over an estate of its own: what one leaves behind is none of the next one's business. */
export function answered(about: string, rows: readonly AnswerRow[]): void {
  describe(about, () => {
    let front: Front;
    let haste: ReturnType<typeof hurry>;
    beforeAll(async () => {
      front = await Front.start();
      haste = hurry();
    });
    afterAll(async () => {
      haste.end();
      await front.close();
    });

    const tried = allOr(rows, (_row, index) => index % 5 === 0);
    test.for(tried.map((row) => [`${row[0]} (${row[1]})`, row] as const))("%s", async ([, row]) => {
      const [, at, answer, command, code, says, how] = row;
      const stage = await Stage.open("empty");
      try {
        furnish(stage.dev);
        front.upstream = stage.emulator.url;
        const [, side = "", name = ""] = /^(\w+) (.*)$/.exec(at) ?? [];
        front.hostile = [{ at: `${side} ${places[name] ?? name}`, answer, unheard: how === "unheard" }];
        stage.plan({
          source: { baseUrl: `${front.url}/dev` },
          target: { baseUrl: `${front.url}/prod` },
          limits: { answerSize: "2MB" },
        });
        const ran = await stage.ferry(command);
        expect.soft(front.unmet).toEqual([]);
        await judge(stage, ran, { code, says, writes: how === "writes" });
      } finally {
        front.hostile = [];
        await stage.close();
      }
    });
  });
}
