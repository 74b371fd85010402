import type { TokenSource } from "./token.ts";

/** How requests of a connection say who sends them: a value for their Authorization header. */
export interface Authorization {
  /** Throws ServiceError when it cannot be had. */
  value(): Promise<string>;
  /** After 401: another value to try once, or undefined where there is none. Throws ServiceError. */
  renewed(rejected: string): Promise<string | undefined>;
  /** What a 401 means that is left. */
  readonly refused: string;
  /** Whom a 403 is about. */
  readonly who: string;
}

/** An access token (document 1, Authentication). */
export function bearer(tokens: TokenSource): Authorization {
  const scheme = "Bearer ";
  return {
    value: async () => scheme + (await tokens.get()),
    renewed: async (rejected) => scheme + (await tokens.replace(rejected.slice(scheme.length))),
    refused: "the access token is not accepted, even after it was renewed",
    who: "the API client",
  };
}

/** User name and password with every request, and no sign-in (document 3, Authentication). */
export function basic(username: string, password: string): Authorization {
  const value = `Basic ${Buffer.from(`${username}:${password}`, "utf8").toString("base64")}`;
  return {
    value: async () => value,
    // Nothing renews a password.
    renewed: async () => undefined,
    refused: `user name and password are not accepted (user "${username}")`,
    who: `user "${username}"`,
  };
}
