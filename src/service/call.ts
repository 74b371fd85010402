import type { Json, JsonObject } from "../model/json.ts";
import type { Path, Query } from "./address.ts";
import type { Problem } from "./error.ts";

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly at: Path;
  readonly query?: Query;
  readonly body?: JsonObject;
}

/** A good answer, already JSON. */
export interface Answer {
  readonly status: number;
  /** Undefined when the answer has no body. */
  readonly body: Json | undefined;
  readonly retryAfterMs?: number;
  /** Of an upsert: an attempt before this one, whose answer was lost, may have had its effect. */
  readonly isAgain?: true;
  /** Problems inside a good answer (207), made safe to show. */
  readonly problem: (body: JsonObject) => Problem | undefined;
}

/** Makes a result of an answer. Throws WrongShape when it cannot: the answer is then unreadable. */
export type Interpret<T> = (answer: Answer) => T;

/** Sends what changes nothing at the service. All methods throw ServiceError. */
export interface Reader {
  /** Name of the environment that is read, for errors about more than one answer. */
  readonly environment: string;
  read<T>(call: Call, interpret: Interpret<T>): Promise<T>;
  /** Tells how far a list has come. */
  listed?(path: string, received: number, total: number | undefined): void;
}

/** Sends what changes something; never twice unless it is known not to have happened. */
export interface Writer {
  write<T>(call: Call, interpret: Interpret<T>): Promise<T>;
  /**
   * Sends what leaves the same behind when it comes twice, and sends it again where its answer was lost. An error at
   * the end says `arrived: "no"` only when none of the attempts can have had an effect.
   */
  upsert<T>(call: Call, interpret: Interpret<T>): Promise<T>;
}
