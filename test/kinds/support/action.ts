import type { JsonObject } from "../../../src/model/json.ts";
import type { ActionKind, StepItem } from "../../../src/kinds/kind.ts";
import type { WriteClient } from "../../../src/service/index.ts";

export function sent(body: JsonObject): StepItem {
  return { source: "a start", name: "a start", body, whole: body };
}

/** Starts one; the URN of its workflow. */
export async function started(kind: ActionKind, client: WriteClient, body: JsonObject): Promise<string> {
  const [answer] = await kind.start.send(client, [sent(body)]);
  if (answer?.state !== "accepted") throw new Error(`it was ${answer?.state ?? "not answered"}`);
  return answer.handle;
}
