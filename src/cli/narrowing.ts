const narrowing = ["kinds", "include", "exclude"] as const;

/** Commands that are about something else than what the plan selects, with what each of them is about, and what narrows it. */
const others: Readonly<Record<string, { readonly about: string; readonly heeds: readonly string[] }>> = {
  status: { about: "all that the journal and the reports know", heeds: ["kinds"] },
  resolve: { about: "all that is in doubt", heeds: [] },
  rollback: { about: "all that the run did", heeds: [] },
  flow: { about: "flows of the service", heeds: [] },
  runs: { about: "whole runs", heeds: [] },
  decide: { about: "the object that is named behind the plan", heeds: [] },
  ack: { about: "the object that is named behind the plan", heeds: [] },
};

type Narrowing = (typeof narrowing)[number];

/** What a command is about, and the flags of all commands that do not narrow it: it refuses them, and its help does not name them. */
export function narrowingOf(command: string): {
  readonly about: string;
  readonly unheeded: readonly Narrowing[];
} {
  const { about = "what the plan selects", heeds = narrowing } = others[command] ?? {};
  return { about, unheeded: narrowing.filter((name) => !heeds.includes(name)) };
}
