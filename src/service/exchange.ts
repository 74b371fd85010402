import { createHash } from "node:crypto";
import ky from "ky";
import { readBody, readErrorBody, TooLarge } from "./body.ts";
import type { NetworkFailure } from "./network-failure.ts";
import { networkFailure, tooLarge } from "./network-failure.ts";
import { Stopped } from "./stop.ts";
import type { Stop } from "./stop.ts";

export interface WireRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  /** No more of the answer is read, unpacked; bytes. */
  readonly mostBytes: number;
  /** The answer is wanted with a print of its body. */
  readonly isPrinted?: boolean;
  /** Absent for a write: once sent it is left to finish. */
  readonly stop?: Stop;
}

export interface WireAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly text: string;
  /** SHA-256 of the bytes of the body as far as they were read, in base64; where it was wanted. */
  readonly print?: string;
}

/** No complete answer. `status` is there when its head had come. */
export class ExchangeFailure extends Error {
  override readonly name = "ExchangeFailure";
  readonly how: "timeout" | "network" | "cut" | "encoding" | "too-large";
  readonly network: NetworkFailure;
  readonly status: number | undefined;

  constructor(how: ExchangeFailure["how"], network: NetworkFailure, status: number | undefined) {
    super(network.message);
    this.how = how;
    this.network = network;
    this.status = status;
  }
}

/**
 * One request, one answer, nothing else: no retry, no redirect, every status is an answer. One timer covers
 * head and body; ky's own timeouts count them separately. Throws ExchangeFailure or Stopped.
 */
export async function exchange(request: WireRequest): Promise<WireAnswer> {
  request.stop?.check();
  const controller = new AbortController();
  let ended: "timeout" | "stopped" | undefined;
  const end = (how: "timeout" | "stopped"): void => {
    ended ??= how;
    controller.abort();
  };
  const timer = setTimeout(end, request.timeoutMs, "timeout");
  const release = request.stop?.whenStopped(() => {
    end("stopped");
  });
  let status: number | undefined;
  try {
    const { url, method, headers, body } = request;
    const { signal } = controller;
    const sent = {
      method,
      headers,
      signal,
      redirect: "manual",
      ...(body === undefined ? {} : { body }),
    } as const;
    // What ky would make of it, a request of its own and a signal beside ours, takes as long as the rest of a request.
    const response = await ky(url, {
      method,
      retry: 0,
      timeout: false,
      throwHttpErrors: false,
      fetch: async () => fetch(url, sent),
    });
    status = response.status;
    // Beyond 2xx the status decides; a body that breaks off takes nothing from it.
    const read = response.ok ? readBody : readErrorBody;
    const print = request.isPrinted === true ? createHash("sha256") : undefined;
    const text = await read(response, request.mostBytes, controller.signal, (bytes) => print?.update(bytes));
    const { statusText, headers: fields } = response;
    const answer = { status, statusText, headers: fields, text };
    return print === undefined ? answer : { ...answer, print: print.digest("base64") };
  } catch (error) {
    if (ended === "stopped") throw new Stopped();
    if (ended === "timeout") {
      const message = `no complete answer within ${request.timeoutMs} ms`;
      throw new ExchangeFailure("timeout", { message, arrived: "maybe", timedOut: true }, status);
    }
    // What was not read must not go on arriving.
    if (error instanceof TooLarge) controller.abort();
    throw asFailure(error, status);
  } finally {
    clearTimeout(timer);
    release?.();
  }
}

function asFailure(error: unknown, status: number | undefined): ExchangeFailure {
  if (error instanceof TooLarge) {
    const network = { message: error.message, arrived: "maybe", timedOut: false, code: tooLarge } as const;
    return new ExchangeFailure("too-large", network, status);
  }
  const network = networkFailure(error);
  if (network.timedOut) return new ExchangeFailure("timeout", network, status);
  if (network.code === "ERR_ENCODING_INVALID_ENCODED_DATA") {
    return new ExchangeFailure(
      "encoding",
      { message: "some of its bytes are no character", arrived: "maybe", timedOut: false },
      status,
    );
  }
  if (status !== undefined) return new ExchangeFailure("cut", network, status);
  return new ExchangeFailure("network", network, undefined);
}
