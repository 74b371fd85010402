import type { ServiceError } from "../../service/index.ts";
import { certificateAdvice } from "../../service/index.ts";
import { StoreError } from "../../store/index.ts";

/** What the checks of a master-data server are called. */
export const masterDataChecks = {
  server: "master data",
  layers: "master-data layers",
  history: "master-data history",
} as const;

/** What to do where a check had no answer. */
export function adviceFor(error: ServiceError | StoreError, side: string, check: string): string | undefined {
  if (error instanceof StoreError) return error.suggestion;
  const advice: Partial<Record<ServiceError["kind"], string>> = {
    // Where there is no such realm the address may be another one, and no secret was looked at.
    "sign-in":
      error.status === 404
        ? `Check authUrl (baseUrl, where the plan has none) and realm of ${side} in the plan.`
        : `Check realm, clientId and clientSecret of ${side} in the plan.`,
    permission: `Give the API client of ${side} the permission to read this, or select fewer kinds.`,
    unreachable: `Check baseUrl of ${side} in the plan, and the network.`,
    timeout: "Raise limits.requestTimeout in the plan, or try again later.",
  };
  return (
    certificateAdvice(error) ??
    // The tables are looked at on both sides, and some of them at another server.
    (isMasterData(check) || error.path.startsWith("/api/rest/")
      ? masterDataAdvice(error, side === "both" ? "source and target" : side)
      : undefined) ??
    advice[error.kind]
  );
}

function isMasterData(check: string): boolean {
  return Object.values<string>(masterDataChecks).includes(check);
}

function masterDataAdvice(error: ServiceError, side: string): string | undefined {
  const advice: Partial<Record<ServiceError["kind"], string>> = {
    "sign-in": `Check username and password under masterData of ${side} in the plan; a redirect means that its baseUrl, or the sign-in of the server, is another.`,
    permission: `Give the user under masterData of ${side} the roles that the server asks for.`,
    unreachable: `Check baseUrl under masterData of ${side} in the plan, and the network.`,
    "not-found": `Check baseUrl under masterData of ${side} in the plan: the interface is at /api/rest below it.`,
  };
  return advice[error.kind];
}
