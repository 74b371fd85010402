import { type FaultRule, FaultSwitch } from "./faults.ts";
import { Listening } from "./http/listening.ts";
import { RequestLog } from "./http/log.ts";
import { type EmulatorEvent, Pipeline } from "./http/pipeline.ts";
import { type App, createApp } from "./http/server.ts";
import { Tokens } from "./http/tokens.ts";
import type { Wire } from "./http/wire.ts";
import { createMasterDataApp } from "./master-data/http.ts";
import type { MasterData } from "./master-data/master-data.ts";
import { openMasterData } from "./master-data/open.ts";
import type { Model } from "./master-data/model.ts";
import { Tenant } from "./tenant.ts";

export { type FaultEffect, type FaultMatch, type FaultRule, FaultSwitch, parseFaults } from "./faults.ts";
export type { LogEntry, LogQuery } from "./http/log.ts";
export { RequestLog } from "./http/log.ts";
export type { EmulatorEvent, Phase } from "./http/pipeline.ts";
export type { Sent, Wire } from "./http/wire.ts";
export type { Json, JsonObject } from "./json.ts";
export type { MasterData } from "./master-data/master-data.ts";
export * as masterDataBooks from "./master-data/books.ts";
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
  /**
   * A master-data server for each tenant (document 3), on a port of their own beside the platform's. Default port 0: any
   * free one.
   */
  readonly masterData?: {
    readonly port?: number;
    /** Another port where that one is taken. */
    readonly orAnyFree?: boolean;
    readonly model?: Model;
  };
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
  readonly servesMasterData: boolean;
  /** The master-data server of a tenant. Throws when there is none. */
  masterData(tenant: string): MasterData;
  /** Its {mdm_base}; user name `<tenant>-mdm`, password `<tenant>-mdm-secret`. */
  masterDataUrl(tenant: string): string;
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
  const { app, masterDataApp, emulated } = emulate(options, {
    platform: () => platform.url,
    masterData: () => masterData?.url ?? "",
  });
  const platform = new Listening(app, options.port ?? 0);
  const masterData =
    masterDataApp === undefined
      ? undefined
      : new Listening(masterDataApp(), options.masterData?.port ?? 0, options.masterData?.orAnyFree);
  const all = [platform, ...(masterData === undefined ? [] : [masterData])];
  const begin = async (): Promise<void> => {
    for (const listening of all) await listening.begin();
  };
  const end = async (): Promise<void> => {
    await Promise.all(all.map((listening) => listening.end()));
  };
  await begin().catch(async (error: unknown) => {
    await end();
    throw error;
  });
  return { ...emulated, url: platform.url, pause: end, resume: begin, close: end };
}

/** Where the master-data servers are when no port is opened: below the address of the platform. */
const ownPath = "/master-data";

/** Nothing of the machine is touched: the same seed, clock and requests give the same answers. */
export function openEmulator(
  options: Omit<EmulatorOptions, "port"> & { readonly url: string },
): OpenedEmulator {
  const { app, masterDataApp, emulated } = emulate(options, {
    platform: () => options.url,
    masterData: () => `${options.url}${ownPath}`,
  });
  const records = masterDataApp?.(ownPath);
  return {
    ...emulated,
    url: options.url,
    async serve(request, wire) {
      const isOfRecords = (): boolean => new URL(request.url).pathname.startsWith(`${ownPath}/`);
      await (records !== undefined && isOfRecords() ? records : app).fetch(request, { wire });
    },
  };
}

function emulate(
  options: EmulatorOptions,
  urls: { readonly platform: () => string; readonly masterData: () => string },
): {
  readonly app: App;
  readonly masterDataApp: ((path?: string) => App) | undefined;
  readonly emulated: Emulated;
} {
  const url = urls.platform;
  const { seed = 1, clock = Date.now } = options;
  const names = options.tenants ?? ["dev", "prod"];
  const tenants = new Map(names.map((name) => [name, new Tenant({ name, seed, clock })]));
  const log = new RequestLog();
  const faults = new FaultSwitch(seed, options.faults);
  const pipeline = new Pipeline(faults, clock);
  const tokens = new Tokens({ lifetimeSeconds: options.tokenLifetimeSeconds ?? 300, seed, clock });
  const app = createApp({ tenants, log, pipeline, tokens, clock, url });
  const model = options.masterData?.model;
  const servers = new Map(
    options.masterData === undefined
      ? []
      : names.map((name) => [
          name,
          openMasterData({ name, seed, clock, ...(model === undefined ? {} : { model }) }),
        ]),
  );
  const tenant = (name: string): Tenant => {
    const found = tenants.get(name);
    if (found === undefined)
      throw new Error(`The emulator has no tenant ${name}; it has ${names.join(", ")}.`);
    return found;
  };
  const server = (name: string): MasterData => {
    const found = servers.get(tenant(name).name);
    if (found === undefined) throw new Error(`${name} has no master-data server: start it with masterData.`);
    return found;
  };

  const emulated: Emulated = {
    get url() {
      return url();
    },
    baseUrl: (name) => `${url()}/${tenant(name).name}`,
    tenant,
    servesMasterData: servers.size > 0,
    masterData: server,
    masterDataUrl: (name) => `${urls.masterData()}/${server(name).name}`,
    log,
    faults,
    on: (listener) => pipeline.on(listener),
    expireTokens: (name) => tokens.expire(tenant(name)),
    idle: () => pipeline.idle(),
  };
  const masterDataApp = (path = ""): App =>
    createMasterDataApp({ servers, log, pipeline, clock, url: urls.masterData }, path);
  return { app, masterDataApp: servers.size === 0 ? undefined : masterDataApp, emulated };
}
