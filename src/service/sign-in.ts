import type { Json } from "../model/json.ts";
import { isObject, own, text } from "../model/json.ts";
import { at } from "./address.ts";
import type { ServiceError } from "./error.ts";
import { withArrival } from "./error.ts";
import type { WireAnswer } from "./exchange.ts";
import { ExchangeFailure, exchange } from "./exchange.ts";
import type { Place } from "./failures.ts";
import { exchangeError, failure } from "./failures.ts";
import type { Environment } from "./options.ts";
import { refusal } from "./refusal.ts";
import { tokenAnswer } from "./shapes.ts";
import type { Stop } from "./stop.ts";
import type { Token } from "./token.ts";

export interface SignInSettings {
  readonly environment: Environment;
  /** `{auth_url}` without a slash at its end. */
  readonly authUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly mostBytes: number;
  readonly stop: Stop;
  readonly now: () => number;
}

export function tokenPath(realm: string): string {
  return at`/auth/realms/${realm}/protocol/openid-connect/token`.path;
}

/**
 * One request for a token (document 1, Authentication 3). Throws ServiceError: `sign-in` when the credentials,
 * the client or the realm are not accepted; it names the client id and never the secret. `arrived` is always
 * `no`: the request that needed the token has not been sent.
 */
export async function requestToken(settings: SignInSettings, place: Place): Promise<Token> {
  const { environment } = settings;
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: environment.clientId,
    client_secret: environment.clientSecret,
  });
  let answer: WireAnswer;
  try {
    answer = await exchange({
      url: `${settings.authUrl}${place.path}`,
      method: "POST",
      headers: { ...settings.headers, "content-type": "application/x-www-form-urlencoded" },
      body: form.toString(),
      timeoutMs: settings.timeoutMs,
      mostBytes: settings.mostBytes,
      stop: settings.stop,
    });
  } catch (error) {
    throw error instanceof ExchangeFailure ? notSent(exchangeError(place, error, settings.authUrl)) : error;
  }
  const refused = refusal(place, answer, settings.now());
  if (refused !== undefined) throw explain(refused, environment, place, answer);
  return toToken(answer, place);
}

function toToken(answer: WireAnswer, place: Place): Token {
  try {
    const body = tokenAnswer(JSON.parse(answer.text) as Json);
    const value = text(body, "access_token") ?? "";
    place.cleaner.rememberToken(value);
    return { value, lifetimeMs: Number(own(body, "expires_in")) * 1000 };
  } catch {
    // The reason is not told: it could quote the token.
    const why = "the answer is no token as the service documents it";
    throw failure(place, "unreadable", "no", why, { status: answer.status });
  }
}

/** 400 and 401 are wrong credentials, 404 is an unknown realm; all 4xx but 408 and 429 are for a person to mend. */
function explain(
  refused: ServiceError,
  environment: Environment,
  place: Place,
  answer: WireAnswer,
): ServiceError {
  const status = answer.status;
  if (refused.kind === "timeout" || refused.kind === "throttled" || refused.kind === "server") {
    return notSent(refused);
  }
  if (status < 400) return notSent(refused);
  const said = oauthError(answer.text);
  const who = `client id "${environment.clientId}" in realm "${environment.realm}"`;
  // What is no service at all answers so, too.
  const elsewhere =
    status === 404 ? ": there is no such realm at this address, or it is not the address of the service" : "";
  const why = `signing in to "${environment.name}" with ${who} was refused (${status})${said}${elsewhere}`;
  return failure(place, "sign-in", "no", place.cleaner.clean(why), { status, requestId: refused.requestId });
}

/** RFC 6749, 5.2. */
function oauthError(answer: string): string {
  let body: Json;
  try {
    body = JSON.parse(answer) as Json;
  } catch {
    return "";
  }
  if (!isObject(body)) return "";
  const parts = [text(body, "error"), text(body, "error_description")].filter((part) => part !== undefined);
  // Its sentence goes on here.
  return parts.length === 0 ? "" : `: ${parts.join(", ").replace(/\.$/u, "")}`;
}

function notSent(error: ServiceError): ServiceError {
  return withArrival(error, "no");
}
