import { spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { furnish } from "../cli/support/little.ts";
import { useStage } from "../cli/support/stage.ts";
import { seedTerm } from "../../src/emulator/seed.ts";

/** The scripts of the recipes, run as a pipeline runs them. */
const recipes = join(import.meta.dirname, "../../.ci/recipes");
const has = (...tools: readonly string[]): boolean =>
  tools.every((tool) => spawnSync("bash", ["-c", `command -v ${tool}`]).status === 0);

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ferry-ci-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, content: string): string {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

interface Ran {
  readonly status: number | null;
  readonly output: string;
}

/** Not at once: a server in this process has to answer. */
function run(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = folder,
): Promise<Ran> {
  return new Promise((done) => {
    const [command = "", ...args] = words;
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env } });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += String(part)));
    child.on("close", (status) => done({ status, output }));
  });
}

describe.skipIf(!has("jq"))("the comment on GitHub", () => {
  const script = join(recipes, "github/action/comment.sh");

  /** What `gh` would do, of a list of comments in a file. */
  function fakeGh(comments: readonly object[]): Readonly<Record<string, string>> {
    write("comments.json", JSON.stringify(comments));
    const gh = write(
      "bin/gh",
      `#!/usr/bin/env bash
args=("$@"); filter=""
for i in "\${!args[@]}"; do [ "\${args[i]}" = --jq ] && filter=\${args[i+1]}; [[ \${args[i]} == body=@* ]] && cp "\${args[i]#body=@}" sent.md; done
printf '%s\\n' "$*" >> calls.txt
if [ -n "$filter" ]; then jq --raw-output "$filter" comments.json; fi
`,
    );
    chmodSync(gh, 0o755);
    return { PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`, GITHUB_REPOSITORY: "acme/config" };
  }
  const calls = (): readonly string[] => readFileSync(join(folder, "calls.txt"), "utf8").trim().split("\n");

  test("is made where there is none, and holds the report", async () => {
    write("plans/prod/report.md", "# Two to create\n");
    const env = fakeGh([{ id: 1, user: { login: "somebody" }, body: "<!-- ferry: prod -->\nmine" }]);
    expect(await run(["bash", script, "prod", "7"], env)).toEqual({ status: 0, output: "" });
    expect(calls().at(-1)).toMatch(/--method POST repos\/acme\/config\/issues\/7\/comments /);
    expect(readFileSync(join(folder, "sent.md"), "utf8")).toBe("<!-- ferry: prod -->\n\n# Two to create\n");
  });

  test("is updated in place: its own, of this plan", async () => {
    write("plans/prod/report.md", "# Later\n");
    const bot = { login: "github-actions[bot]" };
    const env = fakeGh([
      { id: 1, user: bot, body: "<!-- ferry: prod-eu -->\n" },
      { id: 2, user: bot, body: "<!-- ferry: prod -->\n\n# Before" },
      { id: 3, user: bot, body: "something else" },
    ]);
    expect((await run(["bash", script, "prod", "7"], env)).status).toBe(0);
    expect(calls().at(-1)).toMatch(/--method PATCH repos\/acme\/config\/issues\/comments\/2 /);
    expect(calls()).toHaveLength(2);
  });

  test.each(["plans/prod.yaml", "./plans/prod.yml", "elsewhere/prod.json"])(
    "of a plan that is named by its file, %s, it is the same one",
    async (plan) => {
      write("plans/prod/report.md", "# Later\n");
      const env = fakeGh([
        { id: 2, user: { login: "github-actions[bot]" }, body: "<!-- ferry: prod -->\n\n# Before" },
      ]);
      expect(await run(["bash", script, plan, "7"], env)).toEqual({ status: 0, output: "" });
      expect(calls().at(-1)).toMatch(/--method PATCH repos\/acme\/config\/issues\/comments\/2 /);
    },
  );

  test("without a report there is nothing to say, and it says so", async () => {
    const { status, output } = await run(["bash", script, "prod", "7"], fakeGh([]));
    expect([status, output]).toEqual([0, expect.stringContaining("There is no plans/prod/report.md")]);
  });
});

interface Request {
  readonly method: string;
  readonly url: string;
  readonly token: string | undefined;
  readonly body: string;
}
type Answer = { readonly body: object | Buffer; readonly headers?: Readonly<Record<string, string>> };

/** A GitLab that answers by path, and what it was asked. */
async function gitLab<T>(
  answer: (request: Request) => Answer,
  use: (env: Readonly<Record<string, string>>, asked: readonly Request[]) => Promise<T>,
): Promise<T> {
  const asked: Request[] = [];
  const server = createServer((incoming, outgoing) => {
    let body = "";
    incoming.on("data", (part) => (body += String(part)));
    incoming.on("end", () => {
      const { method = "", url = "", headers } = incoming;
      const request = { method, url, token: headers["private-token"] as string | undefined, body };
      asked.push(request);
      const { body: sent, headers: more = {} } = answer(request);
      outgoing.writeHead(200, { "content-type": "application/json", ...more });
      outgoing.end(Buffer.isBuffer(sent) ? sent : JSON.stringify(sent));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const env = {
    CI_API_V4_URL: `http://127.0.0.1:${port}/api/v4`,
    CI_PROJECT_ID: "5",
    CI_COMMIT_SHA: "abcdef0123456789",
    FERRY_TOKEN: "glpat-secret",
  };
  try {
    return await use(env, asked);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe.skipIf(!has("curl", "jq"))("the comment on GitLab", () => {
  const script = join(recipes, "gitlab/comment.sh");
  const pages: readonly (readonly object[])[] = [
    [
      { id: 10, author: { id: 1 }, body: "<!-- ferry: prod -->\nsomebody else's" },
      { id: 11, author: { id: 2 }, body: "a word" },
    ],
    [{ id: 12, author: { id: 2 }, body: "<!-- ferry: prod -->\n\nbefore" }],
  ];
  const answer =
    (shown: number) =>
    ({ url }: Request): Answer => {
      if (url.endsWith("/user")) return { body: { id: 2 } };
      const page = Number(/[?&]page=(\d+)/.exec(url)?.[1] ?? 1);
      const next = page < shown ? String(page + 1) : "";
      return { body: pages[page - 1] ?? [], headers: { "X-Next-Page": next } };
    };

  test("is made where this token has none", async () => {
    write("plans/prod/report.md", 'A "report"\n');
    await gitLab(answer(1), async (env, asked) => {
      expect(await run(["bash", script, "prod", "7"], env)).toEqual({ status: 0, output: "" });
      const last = asked.at(-1);
      expect(last).toMatchObject({ method: "POST", url: "/api/v4/projects/5/merge_requests/7/notes" });
      expect(JSON.parse(last?.body ?? "")).toEqual({ body: '<!-- ferry: prod -->\n\nA "report"\n' });
      expect(new Set(asked.map(({ token }) => token))).toEqual(new Set(["glpat-secret"]));
    });
  });

  test("is updated in place, also from a later page", async () => {
    write("plans/prod/report.md", "later\n");
    await gitLab(answer(2), async (env, asked) => {
      expect((await run(["bash", script, "prod", "7"], env)).status).toBe(0);
      expect(asked.at(-1)).toMatchObject({
        method: "PUT",
        url: "/api/v4/projects/5/merge_requests/7/notes/12",
      });
    });
  });
});

describe.skipIf(!has("curl", "jq", "unzip", "zip"))("the diff that was reviewed, fetched from GitLab", () => {
  const script = join(recipes, "gitlab/fetch-approved.sh");

  test("is that of the newest review of the merge request, with its snapshot; nothing else is unpacked", async () => {
    write("there/plans/prod/approved.json", "{}");
    write("there/plans/prod/snapshot/manifest.json", "{}");
    write("there/src/evil.txt", "x");
    await run(["zip", "-q", "-r", "../archive.zip", "."], {}, join(folder, "there"));
    const archive = readFileSync(join(folder, "archive.zip"));
    mkdirSync(join(folder, "here"));
    const answer = ({ url }: Request): Answer => {
      if (url.endsWith("/repository/commits/abcdef0123456789/merge_requests"))
        return {
          body: [
            { iid: 6, state: "opened" },
            { iid: 7, state: "merged" },
          ],
        };
      if (url.endsWith("/merge_requests/7/pipelines")) return { body: [{ id: 30 }, { id: 20 }] };
      if (url.includes("/pipelines/30/jobs")) return { body: [{ id: 31, name: "review", artifacts: [] }] };
      if (url.includes("/pipelines/20/jobs"))
        return { body: [{ id: 21, name: "review", artifacts: [{ file_type: "archive" }] }] };
      return { body: archive };
    };
    await gitLab(answer, async (env, asked) => {
      const ran = await run(["bash", script, "prod"], env, join(folder, "here"));
      expect(ran).toEqual({ status: 0, output: "" });
      expect(asked.at(-1)?.url).toBe("/api/v4/projects/5/jobs/21/artifacts");
    });
    expect(
      spawnSync("find", [".", "-type", "f"], { cwd: join(folder, "here"), encoding: "utf8" })
        .stdout.trim()
        .split("\n")
        .sort(),
    ).toEqual(["./plans/prod/approved.json", "./plans/prod/snapshot/manifest.json"]);
  });

  test("a commit that nobody reviewed applies nothing", async () => {
    await gitLab(
      () => ({ body: [] }),
      async (env) => {
        const { status, output } = await run(["bash", script, "prod"], env);
        expect([status, output]).toEqual([1, expect.stringContaining("no diff that anybody has seen")]);
      },
    );
  });
});

describe.skipIf(!has("git"))("the mapping is committed back", () => {
  const github = (file: string): string => {
    const { jobs } = parse(readFileSync(join(recipes, "github", file), "utf8")) as {
      readonly jobs: Readonly<
        Record<string, { readonly steps: readonly { readonly name?: string; readonly run?: string }[] }>
      >;
    };
    const steps = Object.values(jobs).flatMap(({ steps }) => steps);
    return steps.find(({ name }) => name === "Keep the mapping")?.run ?? "exit 9";
  };

  test.each([
    ["github/apply.yml", ["bash", "-e", "-c", github("apply.yml")]],
    ["github/nightly.yml", ["bash", "-e", "-c", github("nightly.yml")]],
    ["gitlab/keep-mapping.sh", ["bash", join(recipes, "gitlab/keep-mapping.sh")]],
  ])(
    "%s: with an interrupted run's journal, upon what came meanwhile, and not when nothing changed",
    async (_what, words) => {
      const bare = join(folder, "origin.git");
      const env = {
        GIT_CONFIG_GLOBAL: write(
          "gitconfig",
          `[url "${bare}"]\n\tinsteadOf = https://git.example.com/acme/config.git\n`,
        ),
        GITHUB_SHA: "0123456789",
        CI_COMMIT_SHA: "0123456789",
        CI_SERVER_HOST: "git.example.com",
        CI_PROJECT_PATH: "acme/config",
        CI_DEFAULT_BRANCH: "main",
        FERRY_TOKEN: "glpat-secret",
        GIT_AUTHOR_EMAIL: "a@b.c",
        GIT_COMMITTER_EMAIL: "a@b.c",
      };
      const git = async (...args: readonly string[]): Promise<string> => {
        const { status, output } = await run(["git", ...args], env);
        expect([args[0], status, output]).toEqual([args[0], 0, output]);
        return output;
      };
      await git("init", "--quiet", "--bare", "-b", "main", bare);
      await git("-C", bare, "config", "receive.advertisePushOptions", "true");
      for (const clone of ["runner", "colleague"]) await git("clone", "--quiet", bare, clone);
      const say = async (clone: string, file: string): Promise<void> => {
        write(`${clone}/${file}`, "x\n");
        for (const args of [
          ["add", "--all"],
          ["commit", "-qm", file],
          ["push", "-q", "origin", "HEAD:main"],
        ])
          await git("-C", clone, "-c", "user.name=a", ...args);
      };
      await say("runner", ".gitignore");
      write("runner/.gitignore", "journal.ndjson\nplans/*/\n");
      await git("-C", "runner", "add", ".gitignore");
      await say("runner", "README.md");
      const here = join(folder, "runner");
      expect((await run(words, env, here)).status).toBe(0); // There are no mappings yet.
      await git("-C", "colleague", "pull", "-q", "origin", "main");
      await say("colleague", "plans.yaml");
      write("runner/mappings/dev--prod/rules.json", "{}\n");
      // The head of a journal, and a run.
      write("runner/mappings/dev--prod/journal.ndjson", "1\n2\n");
      write("runner/plans/prod/report.md", "no\n");
      await git("-C", "runner", "branch", "-q", "-u", "origin/main");
      const ran = await run(words, env, here);
      expect(ran).toEqual({ status: 0, output: "" });
      const there = await git("-C", bare, "ls-tree", "-r", "--name-only", "main");
      expect(there.trim().split("\n")).toEqual([
        ".gitignore",
        "README.md",
        "mappings/dev--prod/journal.ndjson",
        "mappings/dev--prod/rules.json",
        "plans.yaml",
      ]);
      const count = await git("-C", bare, "rev-list", "--count", "main");
      expect((await run(words, env, here)).status).toBe(0);
      expect(await git("-C", bare, "rev-list", "--count", "main")).toBe(count);

      // It has come to its end: what is left of the journal is not for others.
      write("runner/mappings/dev--prod/journal.ndjson", "3\n");
      expect(await run(words, env, here)).toEqual({ status: 0, output: "" });
      const last = await git("-C", bare, "ls-tree", "-r", "--name-only", "main");
      expect(last).toContain("rules.json");
      expect(last).not.toContain("journal");
      // A colleague's own, of a run that was killed there, is left where it is.
      write("colleague/mappings/dev--prod/journal.ndjson", "4\n5\n");
      await git("-C", "colleague", "pull", "-q", "origin", "main");
      expect(readFileSync(join(folder, "colleague/mappings/dev--prod/journal.ndjson"), "utf8")).toBe(
        "4\n5\n",
      );
    },
    60_000,
  );
});

describe.skipIf(!has("git"))("a job on GitLab that has waited behind another one", () => {
  test("has the mapping that this one wrote back, and writes its own upon it", async () => {
    const bare = join(folder, "origin.git");
    const env = {
      GIT_CONFIG_GLOBAL: write(
        "gitconfig",
        `[url "${bare}"]\n\tinsteadOf = https://git.example.com/acme/config.git\n[user]\n\tname = a\n\temail = a@b.c\n`,
      ),
      CI_COMMIT_SHA: "0123456789",
      CI_SERVER_HOST: "git.example.com",
      CI_PROJECT_PATH: "acme/config",
      CI_DEFAULT_BRANCH: "main",
      FERRY_TOKEN: "glpat-secret",
    };
    const sh = async (cwd: string, script: string): Promise<string> => {
      const { status, output } = await run(["bash", "-e", "-c", script], env, cwd);
      expect([script, status, output]).toEqual([script, 0, output]);
      return output;
    };
    await sh(
      folder,
      `git init -q --bare -b main ${bare} && git -C ${bare} config receive.advertisePushOptions true`,
    );
    await sh(folder, "for one in first second; do git clone -q origin.git $one; done 2> /dev/null");
    await sh(
      join(folder, "first"),
      "echo plan > plan.yaml && git add . && git commit -qm plan && git push -q origin HEAD:main",
    );
    // As a runner does: the commit of the pipeline, and no branch.
    await sh(join(folder, "second"), "git fetch -q origin main && git checkout -q --detach FETCH_HEAD");
    for (const [job, file] of [
      ["first", "terms"],
      ["second", "rules"],
    ] as const) {
      await sh(join(folder, job), `bash ${join(recipes, "gitlab/newest.sh")}`);
      if (job === "second")
        expect(readFileSync(join(folder, "second/mappings/terms.json"), "utf8")).toBe("{}\n");
      await sh(join(folder, job), `mkdir -p mappings && echo {} > mappings/${file}.json`);
      await sh(join(folder, job), `bash ${join(recipes, "gitlab/keep-mapping.sh")}`);
    }
    const there = await sh(folder, `git -C ${bare} ls-tree -r --name-only main`);
    expect(there.trim().split("\n")).toEqual(["mappings/rules.json", "mappings/terms.json", "plan.yaml"]);
  }, 60_000);
});

describe("what the review keeps is enough for the apply", () => {
  const stage = useStage();

  test("on another machine, by diff and snapshot alone, also when the source has moved on", async () => {
    furnish(stage().dev);
    stage().plan();
    expect((await stage().json("diff move --out plans/move/approved.json")).exitCode).toBe(0);
    const { jobs } = parse(readFileSync(join(recipes, "github/review.yml"), "utf8")) as {
      readonly jobs: {
        readonly review: {
          readonly steps: readonly { readonly uses?: string; readonly with?: { readonly path?: string } }[];
        };
      };
    };
    const kept = jobs.review.steps
      .filter(({ uses }) => uses?.startsWith("actions/upload-artifact") === true)
      .flatMap(({ with: given }) => given?.path?.trim().split("\n") ?? []);
    const cwd = join(folder, "machine");
    cpSync(stage().path("plans/move.yaml"), join(cwd, "plans/move.yaml"));
    for (const path of kept.map((one) => one.trim().replace("plans/prod", "plans/move")))
      cpSync(stage().path(path), join(cwd, path), { recursive: true });
    seedTerm(stage().dev, { name: "Later" });
    const done = await stage().json("apply move --diff plans/move/approved.json --yes", { cwd });
    expect(done).toMatchObject({ exitCode: 0, summary: { create: 5 } });
    expect(stage().prod.counts().terms).toBe(2);
  });
});
