import { randomUUID } from "node:crypto";
import type { Authorization } from "./authorization.ts";
import { basic, bearer } from "./authorization.ts";
import { baseAddress, queryText, Unsendable } from "./address.ts";
import { attemptOnce } from "./attempt.ts";
import type { Base, Prepared } from "./attempt.ts";
import type { Call, Interpret, Reader, Writer } from "./call.ts";
import { Cleaner } from "./cleaner.ts";
import { systemClock } from "./clock.ts";
import type { Clock } from "./clock.ts";
import type { WireAnswer } from "./exchange.ts";
import { ServiceError, withArrival } from "./error.ts";
import type { ClientEvent } from "./events.ts";
import { failure } from "./failures.ts";
import type { Place } from "./failures.ts";
import type { ClientOptions, Environment, MasterDataEnvironment } from "./options.ts";
import type { Care, RetrySettings } from "./retry.ts";
import { withRetries } from "./retry.ts";
import { readAgain } from "./read-again.ts";
import { requestToken, tokenPath } from "./sign-in.ts";
import { Stop, Stopped } from "./stop.ts";
import { TokenSource } from "./token.ts";
import type { AskedFor, Heard, Tape } from "./tape.ts";
import type { Token } from "./token.ts";
import { Traffic } from "./traffic.ts";
import { understand } from "./understand.ts";

/** What was asked ahead may be asked again: nobody waits long for it. */
const hearingBudgetMs = 10_000;

/** Everything one client shares between its calls: who it is, limit, stop, counters. */
export class Session implements Base {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly mostBytes: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly stop: Stop;
  readonly traffic: Traffic;
  readonly authorization: Authorization;
  readonly tape: Tape | undefined;
  readonly sent = { reads: 0, writes: 0 };
  readonly #name: string;
  readonly #options: ClientOptions;
  readonly #cleaner: Cleaner;
  #met = false;

  constructor(environment: Environment | MasterDataEnvironment, options: ClientOptions) {
    const { name } = environment;
    const baseUrl = baseAddress(environment.baseUrl, name);
    this.baseUrl = baseUrl;
    this.clock = options.clock ?? systemClock;
    this.timeoutMs = options.requestTimeoutMs;
    this.mostBytes = options.answerSizeBytes;
    this.headers = { accept: "application/json", "user-agent": options.userAgent };
    this.stop = new Stop(options.signal);
    this.#name = name;
    this.#options = options;
    this.#cleaner = new Cleaner([...secretsOf(environment), ...(options.secrets ?? [])]);
    this.traffic = new Traffic(options.concurrency, this.clock, this.stop, (limit) => {
      this.emit({ type: "concurrency", environment: name, limit });
    });
    this.authorization = this.#authorization(environment);
    this.tape = options.tape;
  }

  /** The sender of reads; a client that must not write is given nothing else. */
  reader(): Reader {
    const environment = this.#name;
    return {
      environment,
      read: (call, interpret) => this.#send(call, "read", interpret),
      listed: (path, received, total) => {
        const stated = total === undefined ? {} : { total };
        this.emit({ type: "listed", environment, path, received, ...stated });
      },
    };
  }

  writer(): Writer {
    return {
      write: (call, interpret) => this.#send(call, "write", interpret),
      upsert: (call, interpret) => this.#upsert(call, interpret),
    };
  }

  place(method: string, path: string): Place {
    return { environment: this.#name, method, path, requestId: randomUUID(), cleaner: this.#cleaner };
  }

  /** A listener that throws must not turn a request that was done into one that failed. */
  emit(event: ClientEvent): void {
    try {
      this.#options.onEvent?.(event);
    } catch {
      // Nobody is left to tell.
    }
  }

  /** Nothing new is sent for as long as the service asked, but never longer than a call may wait. */
  hold(error: ServiceError): void {
    if (error.retryAfterMs === undefined) return;
    const waitMs = Math.min(error.retryAfterMs, this.#options.retryBudgetMs);
    this.traffic.hold(waitMs);
    this.emit({ type: "throttled", environment: this.#name, status: error.status ?? 0, waitMs });
  }

  /** The promise of a token on its own, for checking the credentials. Throws ServiceError. */
  async signIn(realm: string): Promise<void> {
    await this.#unlessStopped("POST", tokenPath(realm), () => this.authorization.value());
  }

  async close(): Promise<void> {
    this.stop.now();
    await this.traffic.idle();
  }

  async #send<T>(
    call: Call,
    care: Care,
    interpret: Interpret<T>,
    onFailure: (error: ServiceError) => void = () => {},
  ): Promise<T> {
    const { method } = call;
    const { path } = call.at;
    const prepared: Prepared = { call, care, query: this.#query(call) };
    const make = (answer: WireAnswer, place: Place): T =>
      understand(answer, place, this.clock.now(), interpret);
    try {
      return await this.#unlessStopped(method, path, () =>
        withRetries(care, this.#retries(method, path, care), (attempt) =>
          this.traffic.run(() => this.#attempt(prepared, attempt, make, onFailure)),
        ),
      );
    } catch (error) {
      if (prepared.isHeard !== true) this.tape?.miss();
      throw error;
    }
  }

  /** Asks as it was asked before, and gives what came as it came. Who must have it asks in earnest. Throws ServiceError. */
  async hear(asked: AskedFor): Promise<Heard & { readonly text: string }> {
    const { path } = asked;
    const prepared: Prepared = { ...readAgain(asked), isToHear: true };
    const { method } = prepared.call;
    return await this.#unlessStopped(method, path, () =>
      withRetries("read", { ...this.#retries(method, path, "read"), budgetMs: hearingBudgetMs }, (attempt) =>
        this.traffic.run(() =>
          this.#attempt(
            prepared,
            attempt,
            ({ status, print = "", text }) => ({ status, print, text }),
            () => {},
          ),
        ),
      ),
    );
  }

  /** Who has answered once is down later, not misspelt. */
  async #attempt<T>(
    prepared: Prepared,
    attempt: number,
    make: (answer: WireAnswer, place: Place) => T,
    onFailure: (error: ServiceError) => void,
  ): Promise<T> {
    try {
      const result = await attemptOnce(this, prepared, attempt, make);
      this.#met = true;
      return result;
    } catch (error) {
      if (error instanceof ServiceError) {
        if (error.status !== undefined) this.#met = true;
        onFailure(error);
      }
      throw error;
    }
  }

  /** What one attempt may have done is not undone by a later one that was refused, or never sent. */
  async #upsert<T>(call: Call, interpret: Interpret<T>): Promise<T> {
    let inDoubt = false;
    try {
      const told: Interpret<T> = (answer) => interpret(inDoubt ? { ...answer, isAgain: true } : answer);
      return await this.#send(call, "upsert", told, ({ arrived }) => {
        inDoubt ||= arrived !== "no";
      });
    } catch (error) {
      if (!inDoubt || !(error instanceof ServiceError) || error.arrived !== "no") throw error;
      throw withArrival(error, "maybe");
    }
  }

  /** Refuses what cannot be written down as it is meant, before anything is sent. */
  #query({ at, method, query = {} }: Call): string {
    const refuse = (why: string): ServiceError => {
      const place = this.place(method, at.path);
      return failure(place, "refused", "no", place.cleaner.clean(`not sent: ${why}`));
    };
    if (at.problem !== undefined) throw refuse(at.problem);
    try {
      return queryText(query);
    } catch (error) {
      throw error instanceof Unsendable ? refuse(error.message) : error;
    }
  }

  #authorization(environment: Environment | MasterDataEnvironment): Authorization {
    if ("password" in environment) return basic(environment.username, environment.password);
    const authUrl = baseAddress(environment.authUrl ?? environment.baseUrl, environment.name);
    return bearer(new TokenSource(() => this.#signIn(environment, authUrl), this.clock));
  }

  async #signIn(environment: Environment, authUrl: string): Promise<Token> {
    const path = tokenPath(environment.realm);
    const { headers, timeoutMs, mostBytes, stop, clock } = this;
    const settings = { environment, authUrl, headers, timeoutMs, mostBytes, stop, now: () => clock.now() };
    const token = await withRetries("read", this.#retries("POST", path, "read"), () =>
      requestToken(settings, this.place("POST", path)),
    );
    this.#met = true;
    this.emit({ type: "token", environment: this.#name, lifetimeMs: token.lifetimeMs });
    return token;
  }

  #retries(method: string, path: string, care: Care): RetrySettings {
    const { retryBudgetMs, random } = this.#options;
    const about = { environment: this.#name, method, path, write: care !== "read" };
    return {
      budgetMs: retryBudgetMs,
      clock: this.clock,
      random: random ?? Math.random,
      met: () => this.#met,
      stop: this.stop,
      onRetry: (error, attempt, waitMs) => {
        const { kind, status } = error;
        const known = status === undefined ? {} : { status };
        this.emit({ type: "retry", ...about, kind, ...known, attempt, waitMs, budgetMs: retryBudgetMs });
      },
    };
  }

  /** Stopped while waiting: nothing is on its way. A read that is cut short has changed nothing either. */
  async #unlessStopped<T>(method: string, path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      throw failure(this.place(method, path), "aborted", "no", "stopped before it was done");
    }
  }
}

/** A service may echo what it was sent, as it was sent. */
function secretsOf(environment: Environment | MasterDataEnvironment): readonly string[] {
  if (!("password" in environment)) return [environment.clientSecret];
  const { username, password } = environment;
  return [password, `${username}:${password}`];
}
