import type { ScheduleSpec, ThresholdSpec } from "../build/spec.ts";

/** Schedules and thresholds that several monitors share. */
export const nightly: ScheduleSpec = {
  cron: "0 0 2 * * ?",
  enabled: true,
  timeZone: "Europe/Berlin",
  ignoreMisfires: true,
  priority: 5,
};

export const hourly: ScheduleSpec = {
  cron: "0 15 * * * ?",
  enabled: true,
  timeZone: "UTC",
  ignoreMisfires: false,
  startAt: "2026-01-05T00:00:00Z",
};

export const mondays: ScheduleSpec = {
  cron: "0 30 6 ? * MON",
  enabled: true,
  timeZone: "Europe/Stockholm",
  priority: 1,
};

/** Switched off on purpose: a copy must not switch it on. */
export const paused: ScheduleSpec = { cron: "0 0 4 1 * ?", enabled: false, timeZone: "Europe/Berlin" };

export const strict: readonly ThresholdSpec[] = [
  { value: 99, severity: "WARNING" },
  { value: 95, severity: "ERROR" },
];

export const relaxed: readonly ThresholdSpec[] = [{ value: 90, severity: "WARNING" }];

export const unrated: readonly ThresholdSpec[] = [{ value: 97.5 }];
