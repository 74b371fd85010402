import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Order, OrderName, Orders, Reply } from "./orders.ts";

const child = fileURLToPath(new URL("process.ts", import.meta.url));

/** The orders, each answered by the process of the emulated service. */
export interface Service {
  order<Name extends OrderName>(
    name: Name,
    ...argument: Parameters<Orders[Name]>
  ): Promise<ReturnType<Orders[Name]>>;
  close(): Promise<void>;
}

export async function openService(): Promise<Service> {
  const running = fork(child, { execArgv: ["--max-old-space-size=12000"], serialization: "advanced" });
  const waiting = new Map<number, { done: (value: unknown) => void; failed: (error: Error) => void }>();
  const ended = new Promise<void>((resolve) => {
    running.once("exit", (code, signal) => {
      resolve();
      for (const { failed } of waiting.values())
        failed(new Error(`the emulated service ended with ${code ?? signal}`));
    });
  });
  running.on("message", (reply: Reply) => {
    const asked = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ("failed" in reply) asked?.failed(new Error(reply.failed));
    else asked?.done(reply.done);
  });
  const answer = (id: number): Promise<unknown> =>
    new Promise((done, failed) => waiting.set(id, { done, failed }));
  const ready = answer(0);
  running.once("error", (error) => waiting.get(0)?.failed(error));
  await ready;
  let last = 0;
  return {
    async order(name, ...[argument]) {
      last += 1;
      const replied = answer(last);
      running.send({ id: last, name, argument } satisfies Order);
      return (await replied) as ReturnType<Orders[typeof name]>;
    },
    async close() {
      running.disconnect();
      await ended;
    },
  };
}
