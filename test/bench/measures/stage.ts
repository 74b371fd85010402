import { Desk } from "../command/run.ts";
import type { Content, Prepared } from "../service/orders.ts";
import type { Service } from "../service/open.ts";
import { openService } from "../service/open.ts";

/** Two environments that nobody has touched yet, and a folder for the command. */
export interface Stage extends AsyncDisposable, Prepared {
  readonly service: Service;
  readonly desk: Desk;
}

export async function stage(
  objects: Content["objects"],
  options: { readonly keepLog?: boolean; readonly delayMs?: number } = {},
): Promise<Stage> {
  const service = await openService();
  const { keepLog = false, delayMs = 0 } = options;
  const prepared = await service.order("prepare", { objects, keepLog });
  if (delayMs > 0) await service.order("delay", delayMs);
  const desk = new Desk(prepared, whatOf(objects));
  return {
    ...prepared,
    service,
    desk,
    async [Symbol.asyncDispose]() {
      desk.close();
      await service.close();
    },
  };
}

function whatOf(objects: Content["objects"]): "objects" | "rows" | "records" | "columns" {
  const kinds = ["rows", "records", "columns"] as const;
  return kinds.find((one) => typeof objects === "object" && one in objects) ?? "objects";
}
