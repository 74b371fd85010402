import { roughly } from "../model/duration.ts";
import type { ClientEvent } from "../service/index.ts";

type Retry = Extract<ClientEvent, { readonly type: "retry" }>;

/** What became of the request; where there was an answer its status says it. */
const became: Readonly<Record<string, string>> = {
  unreachable: "is not reachable",
  timeout: "had no answer in time",
  throttled: "has to wait: the service says so",
  unreadable: "had an answer that could not be read",
  server: "failed at the service",
};

/** What is sent again, why, when, and for how long at most. */
export function retryText(retry: Retry): string {
  const { environment, method, kind, status, attempt, waitMs, budgetMs } = retry;
  const how = status === undefined || kind === "unreadable" ? (became[kind] ?? kind) : `answered ${status}`;
  // The area of the service says nothing to whoever waits.
  const path = retry.path.replace(/^\/api\/(?:[^/]+\/v\d+\/|rest\/)/, "/");
  return `${environment}: ${method} ${path} ${how}; trying again in ${Math.ceil(waitMs / 1_000)} s (attempt ${attempt + 1}, for at most ${roughly(budgetMs)})`;
}
