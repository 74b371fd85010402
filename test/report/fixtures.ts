import { emptySummary } from "../../src/model/result.ts";
import type { Result } from "../../src/model/result.ts";
import type { AppliedChange } from "../../src/model/change.ts";
import { hostileChanges } from "./hostile.ts";
import { richChanges } from "./rich.ts";
import { urnOf } from "./urns.ts";

/** A result whose summary counts what its changes are, as the engine does. */
export function resultOf(changes: readonly AppliedChange[], more: Partial<Result> = {}): Result {
  const summary = emptySummary();
  for (const change of changes) {
    summary[change.action] += 1;
    if (change.outcome === "failed") summary.failed += 1;
    if (change.outcome === "in-doubt") summary.inDoubt += 1;
  }
  return {
    version: "0.1.0",
    command: "diff",
    plan: "orders",
    exitCode: 0,
    summary,
    changes,
    diagnostics: [],
    requests: { source: { reads: 12 }, target: { reads: 30, writes: 0 } },
    durationMs: 1234,
    source: { name: "dev", baseUrl: "https://dev.example.com", tenant: "acme-dev" },
    target: { name: "prod", baseUrl: "https://prod.example.com", tenant: "acme-prod" },
    ...more,
  };
}

/** Every action, every outcome, references by name, rich text, and names in several scripts. */
export function ordinaryResult(): Result {
  return reported(richChanges());
}

/** The same, and names that try to break out. */
export function richResult(): Result {
  return reported([...richChanges(), ...hostileChanges()]);
}

function reported(changes: readonly AppliedChange[]): Result {
  const base = resultOf(changes);
  return {
    ...base,
    command: "apply",
    exitCode: 4,
    run: "20261121-0807-4f2a",
    summary: { ...base.summary, unchanged: 118 },
    requests: { source: { reads: 12 }, target: { reads: 30, writes: 9 } },
    headline: "Applied in part: 1 failed, 1 is in doubt, 5 more need a person.",
    diagnostics: [
      {
        severity: "warning",
        code: "incomplete",
        summary: "The listing of dashboards at dev ended early",
        detail: "Page 3 of 5 was refused; nothing is concluded from absence.",
        suggestion: "ferry doctor orders",
      },
    ],
    next: ["ferry resolve orders", "ferry apply orders"],
  };
}

export function emptyResult(): Result {
  return resultOf([], {
    summary: { ...emptySummary(), unchanged: 240 },
    headline: "Nothing to do: prod already has everything.",
  });
}

/** As many changes as a first migration of a large tenant brings. */
export function largeResult(count = 5000): Result {
  const kinds = ["terms", "rules", "monitors", "dashboards"];
  const changes = Array.from({ length: count }, (_, index): AppliedChange => {
    const kind = kinds[Math.floor((index * kinds.length) / count)] ?? "terms";
    const update = index % 5 === 4;
    const name = `${kind.slice(0, -1)} ${index}`;
    const urn = urnOf("acme-dev", kind, index);
    return {
      id: `${kind}:${urn}`,
      action: update ? "update" : "create",
      kind,
      source: { urn, name },
      ...(update ? { target: { urn: urnOf("acme-prod", kind, index), name } } : {}),
      reason: update ? "changed at dev since the last apply" : "not at prod yet",
      fields: update
        ? [
            { path: "/description", from: `The old text of ${name}`, to: `The new text of ${name}` },
            { path: "/threshold", from: index, to: index + 1 },
          ]
        : [{ path: "/name", to: name }],
      diagnostics: [],
      dependsOn: index < count / 4 ? [] : [dependency(kinds, index, count)],
    };
  });
  return resultOf(changes, { exitCode: 2 });
}

function dependency(kinds: readonly string[], index: number, count: number): string {
  const before = index - Math.floor(count / 4);
  const kind = kinds[Math.floor((before * kinds.length) / count)] ?? "terms";
  return `${kind}:${urnOf("acme-dev", kind, before)}`;
}
