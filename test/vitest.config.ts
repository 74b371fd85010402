import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const own = [
  "test/**/*.nock.test.ts",
  "test/crash/**/*.test.ts",
  "test/browser/**/*.test.ts",
  "test/simulation/**/*.test.ts",
];
const slow = ["test/**/*.slow.test.ts"];

/**
 * `unit` shares a process between files (fast); `isolated` gives a process of its own to each file that changes
 * process-wide state (nock replaces the network, the simulation time as well) or starts child processes. Both are `npm test`. `slow` and
 * `slow-isolated` say at length what those say in short: `npm run test:all`. README.md has what is where.
 */
export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // All that there are: who waits for a test has nothing else to do, and much of it is waiting.
    maxWorkers: Math.max(2, availableParallelism()),
    globalSetup: ["test/support/temporary.ts"],
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/main.ts"],
      reporter: ["text-summary", "json-summary"],
      reportsDirectory: "coverage",
    },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          pool: "threads",
          isolate: false,
          include: ["test/**/*.test.ts"],
          exclude: [...own, ...slow],
        },
      },
      { extends: true, test: { name: "isolated", pool: "forks", include: own, exclude: slow } },
      {
        extends: true,
        test: {
          name: "slow",
          pool: "threads",
          isolate: false,
          include: slow,
          exclude: ["test/crash/**", "test/browser/**"],
        },
      },
      {
        extends: true,
        test: {
          name: "slow-isolated",
          pool: "forks",
          include: ["test/crash/**/*.slow.test.ts", "test/browser/**/*.slow.test.ts"],
        },
      },
    ],
  },
});
