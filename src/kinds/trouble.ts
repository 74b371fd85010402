import { ServiceError } from "../service/index.ts";

/** What a failed request means for the objects in it, in the words of the engine. */
export interface Trouble {
  /** `refused`: known not to have happened. `unknown`: it may have. */
  readonly state: "refused" | "unknown";
  /** Going on makes no sense: nothing else would get through either. */
  readonly fatal?: "sign-in" | "permission" | "unreachable" | "stopped";
  readonly reason: string;
  /** JSON pointers of the complaint into the request body. */
  readonly pointers: readonly string[];
  /** The service does not know this address at all. */
  readonly notOffered: boolean;
  /** Nothing stands at this address, whoever says so: of a batch, whose items have answers of their own, the same. */
  readonly absent: boolean;
}

/** undefined: no trouble of the service but a defect of ours, to be thrown on. */
export function troubleOf(error: unknown): Trouble | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  const pointers = (error.problem?.errors ?? []).flatMap((entry) =>
    entry.pointer === undefined ? [] : [entry.pointer],
  );
  const fatal = fatalOf(error);
  const isAbsent = [404, 405, 501].includes(error.status ?? 0);
  return {
    state: error.arrived === "no" ? "refused" : "unknown",
    ...(fatal === undefined ? {} : { fatal }),
    reason: error.kind === "aborted" ? "it was interrupted before that was sent" : error.message,
    pointers,
    notOffered: isAbsent && error.kind !== "not-found",
    absent: isAbsent,
  };
}

/** The trouble of one request that says nothing of others; a defect, and what nothing else would get past either, is thrown on. */
export function passingTrouble(error: unknown): Trouble {
  const trouble = troubleOf(error);
  if (trouble === undefined || (trouble.fatal !== undefined && trouble.fatal !== "permission")) throw error;
  return trouble;
}

function fatalOf(error: ServiceError): Trouble["fatal"] {
  switch (error.kind) {
    case "sign-in":
    case "permission":
      return error.kind;
    case "unreachable":
    case "throttled":
      return error.arrived === "no" ? "unreachable" : undefined;
    case "aborted":
      return "stopped";
    case "timeout":
    case "refused":
    case "server":
    case "unreadable":
    case "cursor-repeated":
    case "not-found":
      return undefined;
  }
}
