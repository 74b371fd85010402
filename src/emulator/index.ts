import { type FaultRule, FaultSwitch } from "./faults.ts";
import { Listening } from "./http/listening.ts";
import { RequestLog } from "./http/log.ts";
import { type EmulatorEvent, Pipeline } from "./http/pipeline.ts";
import { createApp } from "./http/server.ts";
import { Tokens } from "./http/tokens.ts";
import type { Wire } from "./http/wire.ts";
import { Tenant } from "./tenant.ts";

export { type FaultEffect, type FaultMatch, type FaultRule, FaultSwitch, parseFaults } from "./faults.ts";
export type { LogEntry, LogQuery } from "./http/log.ts";
export { RequestLog } from "./http/log.ts";
export type { EmulatorEvent, Phase } from "./http/pipeline.ts";
export type { Sent, Wire } from "./http/wire.ts";
export type { Json, JsonObject } from "./json.ts";
export { Problem } from "./problem.ts";
export { Tenant } from "./tenant.ts";

export interface EmulatorOptions {
  /** Default 0: any free one. The address is always 127.0.0.1. */
  readonly port?: number;
  /** Default dev and prod. */
  readonly tenants?: readonly string[];
  /** Every UUID and chance follows from it: two emulators with the same seed and calls are equal. */
  readonly seed?: number;
  /** Default 300 (page 04). */
  readonly tokenLifetimeSeconds?: number;
  readonly faults?: readonly FaultRule[];
  /** Wall time in milliseconds, for tests of what expires. */
  readonly clock?: () => number;
}

export interface Emulated {
  /** http://127.0.0.1:PORT, where it listens. */
  readonly url: string;
  /** Both {base_url} and {auth_url} of a tenant; the realm is the name of the tenant. */
  baseUrl(tenant: string): string;
  /** Throws when there is no such tenant. */
  tenant(name: string): Tenant;
  readonly log: RequestLog;
  readonly faults: FaultSwitch;
  /** Listeners are awaited, so that a test can stop the world at a phase; returns how to stop listening. */
  on(listener: (event: EmulatorEvent) => void | Promise<void>): () => void;
  /** Ends every token of the tenant: the next request gets 401. */
  expireTokens(tenant: string): void;
  /** Resolves when nothing is under way any more, late commits included. */
  idle(): Promise<void>;
}

/** One that listens on a port. */
export interface Emulator extends Emulated {
  /** Stops listening, so that connections are refused, and (resume) listens on the same port again. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Stops, and destroys open sockets. */
  close(): Promise<void>;
}

/** One that opens no port: whoever has a request brings a wire for it. */
export interface OpenedEmulator extends Emulated {
  serve(request: Request, wire: Wire): Promise<void>;
}

export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { app, emulated } = emulate(options, () => listening.url);
  const listening = new Listening(app, options.port ?? 0);
  await listening.begin();
  const stop = (): Promise<void> => listening.end();
  return { ...emulated, url: listening.url, pause: stop, resume: () => listening.begin(), close: stop };
}

/** Nothing of the machine is touched: the same seed, clock and requests give the same answers. */
export function openEmulator(
  options: Omit<EmulatorOptions, "port"> & { readonly url: string },
): OpenedEmulator {
  const { app, emulated } = emulate(options, () => options.url);
  return {
    ...emulated,
    url: options.url,
    async serve(request, wire) {
      await app.fetch(request, { wire });
    },
  };
}

function emulate(
  options: EmulatorOptions,
  url: () => string,
): { readonly app: ReturnType<typeof createApp>; readonly emulated: Emulated } {
  const { seed = 1, clock = Date.now } = options;
  const names = options.tenants ?? ["dev", "prod"];
  const tenants = new Map(names.map((name) => [name, new Tenant({ name, seed, clock })]));
  const log = new RequestLog();
  const faults = new FaultSwitch(seed, options.faults);
  const pipeline = new Pipeline(faults, clock);
  const tokens = new Tokens({ lifetimeSeconds: options.tokenLifetimeSeconds ?? 300, seed, clock });
  const app = createApp({ tenants, log, pipeline, tokens, clock, url });
  const tenant = (name: string): Tenant => {
    const found = tenants.get(name);
    if (found === undefined)
      throw new Error(`The emulator has no tenant ${name}; it has ${names.join(", ")}.`);
    return found;
  };

  const emulated: Emulated = {
    get url() {
      return url();
    },
    baseUrl: (name) => `${url()}/${tenant(name).name}`,
    tenant,
    log,
    faults,
    on: (listener) => pipeline.on(listener),
    expireTokens: (name) => tokens.expire(tenant(name)),
    idle: () => pipeline.idle(),
  };
  return { app, emulated };
}
