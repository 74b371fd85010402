import type { OpenedEmulator, Sent, Wire } from "../../../src/emulator/index.ts";
import type { Random } from "../../../src/emulator/random.ts";
import { type Init, type Pieces, SimulatedRequest, SimulatedResponse } from "./http.ts";
import type { Tampering } from "./lies.ts";
import { tampered } from "./lies.ts";
import type { Machine, Simulation } from "./simulation.ts";
import { Machine as Process } from "./simulation.ts";

/** What befalls a request on its way, or its answer. What the service itself does wrong is the emulator's part. */
export interface NetworkFault {
  readonly effect: NetworkEffect;
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Only where the path ends so. */
  readonly path?: string;
  readonly skip: number;
  readonly times: number;
}

export type NetworkEffect =
  /** It never arrives. */
  | { readonly type: "lost-request" }
  /** Done, and nobody hears of it. */
  | { readonly type: "lost-answer" }
  /** On its way for so long; the client may have left by then. */
  | { readonly type: "slow-request"; readonly ms: number }
  | { readonly type: "slow-answer"; readonly ms: number }
  /** Nobody listens for so long. */
  | { readonly type: "outage"; readonly ms: number }
  /** Done; the answer has no end. */
  | { readonly type: "endless" }
  /** Done; the answer says what is not so, or tells what it was sent. */
  | { readonly type: "lie"; readonly lie: Tampering };

interface Active {
  readonly fault: NetworkFault;
  seen: number;
}

/** The way between the client's fetch and the emulator, in one process. */
export class Network {
  readonly #simulation: Simulation;
  readonly #emulator: OpenedEmulator;
  readonly #random: Random;
  #active: Active[] = [];
  #downUntil = 0;
  /** The platform keeps a signal for as long as somebody listens to it, and whoever is dead never leaves. */
  readonly #open = new Set<() => void>();
  readonly #services = new WeakMap<Machine, Machine>();
  /** What went wrong since somebody asked. */
  troubles: string[] = [];
  /** Requests that were handed to it, by process. */
  readonly sent: {
    readonly machine: Machine;
    readonly method: string;
    readonly url: string;
    readonly body: string;
  }[] = [];
  /** Told of each request when it leaves: who has sent it may be dead when it arrives, and another one have settled it. */
  onSend: (method: string, path: string, body: string) => void = () => undefined;

  /** Whether an answer may say that this is what was just made: what nobody can have looked at is believed (README). */
  mayBeNamed: (urn: string) => boolean = () => true;

  /** Told of what was done, and then refused all the same. */
  /** Path and body of writes whose answers did not come, or did not say what happened. */
  readonly unheard = new Set<string>();
  /** Path and answer of what is done, and said to be refused. */
  onRefusedLie: (content: string) => void = () => undefined;

  constructor(simulation: Simulation, emulator: OpenedEmulator) {
    this.#simulation = simulation;
    this.#emulator = emulator;
    this.#random = simulation.chances("network");
  }

  begin(faults: readonly NetworkFault[]): void {
    this.#active = faults.map((fault) => ({ fault, seen: 0 }));
  }

  calm(): void {
    this.#active = [];
    this.#downUntil = 0;
  }

  close(): void {
    for (const forget of this.#open) forget();
  }

  readonly fetch = async (
    input: SimulatedRequest | string | URL,
    init: Init = {},
  ): Promise<SimulatedResponse> => {
    const request = input instanceof SimulatedRequest ? input : new SimulatedRequest(input, init);
    const simulation = this.#simulation;
    const { machine } = simulation;
    const { method, url, path, signal, sent: body } = request;
    const what = `${method} ${path}`;
    this.sent.push({ machine, method, url, body });
    this.onSend(method, path, body);
    const effect = this.#effect(what, method);
    const said = `${path} ${body}`;
    if (method !== "GET") this.unheard.add(said);
    if (simulation.now < this.#downUntil) {
      await simulation.wait(this.#latency(), `${what} is refused: nobody listens`);
      throw fetchFailed("ECONNREFUSED", "connect");
    }
    return await new Promise<SimulatedResponse>((resolve, reject) => {
      let isOver = false;
      const end = (how: () => void): void => {
        if (isOver) return;
        isOver = true;
        forget();
        how();
      };
      const leave = (): void =>
        end(() => reject(new DOMException("This operation was aborted", "AbortError")));
      const forget = (): void => {
        signal?.removeEventListener("abort", leave);
        this.#open.delete(forget);
      };
      if (signal?.aborted === true) return leave();
      signal?.addEventListener("abort", leave);
      this.#open.add(forget);
      const fail = (code: string): void => {
        simulation.schedule(
          this.#latency(),
          `${what} breaks off`,
          () => end(() => reject(fetchFailed(code))),
          machine,
        );
      };
      if (effect?.type === "lost-request") return fail("ECONNRESET");
      const lied = { headers: request.headers, body, oldest: (prefix: string) => this.#oldest(prefix) };
      const deliver = (sent: Sent): void => {
        if (effect?.type === "lost-answer") return fail("UND_ERR_SOCKET");
        const answer = effect?.type === "lie" ? tampered(sent, effect.lie, lied) : sent;
        if (effect?.type === "lie" && answer !== sent) this.troubles.push(`lie (${effect.lie}) at ${what}`);
        if (effect?.type === "lie" && effect.lie === "refusal")
          this.onRefusedLie(`${path} ${sent.content.toString()}`);
        const slow = effect?.type === "slow-answer" ? effect.ms : 0;
        const after = this.#latency() + slow;
        const arrive = (): void =>
          end(() => {
            if (answer === sent && effect?.type !== "endless" && answer.status < 500)
              this.unheard.delete(said);
            resolve(responseOf(answer, effect?.type === "endless" ? simulation : undefined));
          });
        simulation.schedule(after, `${what} is answered ${answer.status}`, arrive, machine, true);
      };
      const slow = effect?.type === "slow-request" ? effect.ms : 0;
      const arrive = (): void => this.#arrive(request, body, what, deliver, fail);
      simulation.schedule(
        this.#latency() + slow,
        `${what} arrives from ${machine.name}`,
        arrive,
        this.#serving(machine),
      );
    });
  };

  /** Whoever works on what a process has sent. */
  #serving(sender: Machine): Machine {
    const known = this.#services.get(sender);
    if (known !== undefined) return known;
    const made = new Process("service", sender);
    this.#services.set(sender, made);
    return made;
  }

  #arrive(
    request: SimulatedRequest,
    body: string,
    what: string,
    deliver: (sent: Sent) => void,
    fail: (code: string) => void,
  ): void {
    let status = 0;
    const wire: Wire = {
      body: async () => body,
      send: (sent) => {
        status = sent.status;
        deliver(sent);
      },
      destroy: () => fail("UND_ERR_SOCKET"),
      status: () => status,
    };
    void this.#emulator.serve(request as unknown as Request, wire).catch((error: unknown) => {
      this.#simulation.note(`the emulator fails at ${what}: ${String(error)}`);
      throw error;
    });
  }

  /** Of the target; what was there before everything else. */
  #oldest(prefix: string): string | undefined {
    const { terms, rules, monitors, dashboards } = this.#emulator.tenant("prod");
    for (const rows of [terms, rules, monitors, dashboards])
      for (const { urn } of rows.values()) if (urn.startsWith(prefix) && this.mayBeNamed(urn)) return urn;
    return undefined;
  }

  #effect(what: string, method: string): NetworkEffect | undefined {
    for (const active of this.#active) {
      const { fault } = active;
      if (fault.method !== undefined && fault.method !== method) continue;
      if (fault.path !== undefined && !what.endsWith(fault.path)) continue;
      active.seen += 1;
      if (active.seen <= fault.skip || active.seen > fault.skip + fault.times) continue;
      // A lie is one when it says something else.
      if (fault.effect.type !== "lie") this.troubles.push(`${fault.effect.type} at ${what}`);
      if (fault.effect.type === "outage") this.#downUntil = this.#simulation.now + fault.effect.ms;
      return fault.effect;
    }
    return undefined;
  }

  /** A few milliseconds, and now and then many more: what was sent later may arrive first. */
  #latency(): number {
    const fraction = this.#random.fraction();
    return fraction < 0.95 ? 1 + fraction * 10 : 10 + (fraction - 0.95) * 4_000;
  }
}

/** As the platform's fetch fails. */
function fetchFailed(code: string, call?: string): TypeError {
  const cause = Object.assign(new Error(code), { code, ...(call === undefined ? {} : { syscall: call }) });
  return new TypeError("fetch failed", { cause });
}

function responseOf(
  { status, headers, content, isTruncated }: Sent,
  endless: Simulation | undefined,
): SimulatedResponse {
  const source =
    endless === undefined ? (isTruncated ? broken(content) : whole(content)) : endlessBody(endless);
  return new SimulatedResponse(status, headers, status === 204 || status === 304 ? undefined : source);
}

function whole(content: Buffer): Pieces {
  let left: Buffer | undefined = content.length > 0 ? content : undefined;
  return () => {
    const piece = left;
    left = undefined;
    return piece;
  };
}

/** Half of it, then nothing. */
function broken(content: Buffer): Pieces {
  let half: Buffer | undefined = content.subarray(0, Math.floor(content.length / 2));
  return () => {
    const piece = half;
    half = undefined;
    if (piece !== undefined && piece.length > 0) return piece;
    const cause = Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });
    throw new TypeError("terminated", { cause });
  };
}

/** A piece now and then, for ever. */
function endlessBody(simulation: Simulation): Pieces {
  const piece = Buffer.alloc(64 * 1_024, 0x20);
  return async () => {
    await simulation.wait(500, "");
    return piece;
  };
}
