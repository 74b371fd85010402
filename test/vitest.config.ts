import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const isolated = [
  "test/**/*.nock.test.ts",
  "test/crash/**/*.test.ts",
  "test/browser/**/*.test.ts",
  "test/simulation/**/*.test.ts",
  // It looks at the memory of its process, which is that of everything in it.
  "test/service/size.test.ts",
];
const slow = ["test/**/*.slow.test.ts"];

// Processes of their own start with what was compiled for the one before; what is told of coverage would be less exact.
if (!process.argv.some((word) => word.startsWith("--coverage")))
  process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(
    new URL("../node_modules/.cache/ferry-tests", import.meta.url),
  );

/**
 * `unit` shares one process between files (fast); `isolated` gives a process of its own to each file that changes
 * process-wide state (nock replaces the network, the simulation time as well), looks at it, or starts child processes. `npm run
 * test:all` is the mode `all`: it adds the slow files, and long suites try all of their rows. `npm run test:coverage` is
 * the mode `core`: how much of the words and the plan, which need no service, their own tests cover.
 */
export default defineConfig(({ mode }) => {
  const isWhole = mode === "all";
  const isCore = mode === "core";
  return {
    root: fileURLToPath(new URL("..", import.meta.url)),
    test: {
      // Node runs the sources as they are, here as everywhere else in the project; nothing is mocked.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      testTimeout: 120_000,
      hookTimeout: 120_000,
      // One more than there are cores: while a test waits (a quiet period, a child, the disk) another computes.
      maxWorkers: availableParallelism() + 1,
      globalSetup: ["test/support/temporary.ts", "test/support/bundled.ts"],
      env: isWhole ? { TESTS: "all" } : {},
      coverage: {
        provider: "v8",
        include: isCore ? ["src/model/**/*.ts", "src/plan/**/*.ts"] : ["src/**/*.ts"],
        exclude: ["src/main.ts"],
        // A floor: what is new there comes with its tests.
        ...(isCore ? { thresholds: { statements: 85, branches: 79, functions: 84, lines: 87 } } : {}),
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
            exclude: [...isolated, ...(isWhole ? [] : slow)],
          },
        },
        {
          extends: true,
          test: { name: "isolated", pool: "forks", include: isolated, exclude: isWhole ? [] : slow },
        },
      ],
    },
  };
});
