import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import type { App } from "./server.ts";

/** A port of this machine. */
export class Listening {
  readonly #server: Server;
  #port: number;
  #orAnyFree: boolean;

  /** `orAnyFree`: another port at first where that one is taken. */
  constructor(app: App, port: number, orAnyFree = false) {
    this.#orAnyFree = orAnyFree;
    // What is made is a server of HTTP/1, and so are its requests.
    const fetch = (request: Request, env: unknown): Response | Promise<Response> =>
      app.fetch(request, env as HttpBindings);
    this.#server = createAdaptorServer({ fetch }) as Server;
    // With the platform's five seconds a client that is busy for a moment writes to a connection that is just being closed.
    this.#server.keepAliveTimeout = 60_000;
    this.#port = port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async begin(): Promise<void> {
    try {
      await this.#listen();
    } catch (error) {
      const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
      if (!this.#orAnyFree || !isTaken) throw error;
      this.#port = 0;
      await this.#listen();
    }
    // From now on it is this one, also after a pause.
    this.#orAnyFree = false;
  }

  #listen(): Promise<void> {
    const server = this.#server;
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(this.#port, "127.0.0.1", () => {
        server.off("error", reject);
        this.#port = (server.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}
