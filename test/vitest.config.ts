import { defineConfig } from "vitest/config";

/**
 * `unit` shares one process between files (fast); `isolated` gives a process of its own to each file that
 * changes process-wide state (nock replaces the network); `crash` and `browser` start child processes.
 */
export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
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
          exclude: ["test/**/*.nock.test.ts", "test/crash/**", "test/browser/**"],
        },
      },
      {
        extends: true,
        test: {
          name: "isolated",
          pool: "forks",
          include: ["test/**/*.nock.test.ts", "test/crash/**/*.test.ts", "test/browser/**/*.test.ts"],
        },
      },
    ],
  },
});
