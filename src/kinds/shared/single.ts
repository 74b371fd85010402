import type { WriteClient } from "../../service/index.ts";
import type { Step, StepAnswer, StepItem } from "../kind.ts";
import { one } from "./batch.ts";

type Single = Omit<Step, "atMost" | "atomic" | "send"> & {
  readonly send: (client: WriteClient, item: StepItem) => Promise<StepAnswer>;
};

/** A step whose requests carry one object each. */
export function single({ send, ...step }: Single): Step {
  return {
    ...step,
    atMost: 1,
    atomic: true,
    send: async (client, items) => one(items, async (item) => send(client, item)),
  };
}

/** Takes one object away. Throws what the client throws; again changes nothing. */
export function deletion(send: (client: WriteClient, item: StepItem) => Promise<unknown>): Step {
  return single({
    name: "delete",
    effect: "removes",
    settle: "repeat",
    async send(client, item) {
      await send(client, item);
      return { state: "done" };
    },
  });
}
