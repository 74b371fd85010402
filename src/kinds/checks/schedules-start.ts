import type { Check } from "../kind.ts";

/** Said once for all monitors, so that it is seen in every format and beside the question to apply. */
export const schedulesStart: Check = {
  name: "schedules-start",
  run({ changes }) {
    const starting = changes.filter(({ diagnostics }) =>
      diagnostics.some(({ code }) => code === "schedule-starts"),
    );
    if (starting.length === 0) return { diagnostics: [] };
    const names = starting.slice(0, 5).map(({ source }) => `"${source?.name ?? ""}"`);
    const more = starting.length > names.length ? ` and ${starting.length - names.length} more` : "";
    return {
      diagnostics: [
        {
          severity: "warning",
          code: "schedules-start",
          summary: `${starting.length} ${starting.length === 1 ? "monitor starts" : "monitors start"} running at the target at once, by schedule: ${names.join(", ")}${more}`,
          suggestion: "Set policy.schedules to disable if they should wait for a person.",
        },
      ],
    };
  },
};
