import type { TokenSource } from "./token.ts";

/** How requests of a connection say who sends them: a value for their Authorization header. */
export interface Authorization {
  /** Throws ServiceError when it cannot be had. */
  value(): Promise<string>;
  /** A request with this value was not answered with 401. */
  taken(value: string): void;
  /**
   * After 401: another value to try, or undefined where there is none. `isFresh` says that the rejected one was made for
   * this request: it is renewed only where it was good for others, and has ended since. Throws ServiceError.
   */
  renewed(rejected: string, isFresh: boolean): Promise<string | undefined>;
  /** What a 401 means that is left. */
  readonly refused: string;
  /** What a person does about it, where that is not what helps with a token. */
  readonly advice?: string;
  /** Whom a 403 is about. */
  readonly who: string;
}

/** An access token (document 1, Authentication). */
export function bearer(tokens: TokenSource): Authorization {
  const scheme = "Bearer ";
  return {
    value: async () => scheme + (await tokens.get()),
    taken: (value) => tokens.taken(value.slice(scheme.length)),
    renewed: async (rejected, isFresh) => {
      const token = rejected.slice(scheme.length);
      if (isFresh && !tokens.wasGood(token)) return undefined;
      return scheme + (await tokens.replace(token));
    },
    refused: "the access token is not accepted, even after it was renewed",
    who: "the API client",
  };
}

/** User name and password with every request, and no sign-in (document 3, Authentication). */
export function basic(username: string, password: string): Authorization {
  const value = `Basic ${Buffer.from(`${username}:${password}`, "utf8").toString("base64")}`;
  return {
    value: async () => value,
    taken: () => {},
    // Nothing renews a password.
    renewed: async () => undefined,
    refused: `user name and password are not accepted (user "${username}")`,
    advice:
      "Check masterData.username and masterData.password of this environment in the plan; `ferry doctor PLAN` tests them.",
    who: `user "${username}"`,
  };
}
