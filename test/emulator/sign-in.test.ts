import { describe, expect, test } from "vitest";
import type { Json } from "../../src/emulator/json.ts";
import {
  at,
  catalog,
  expectRefusal,
  processing,
  quality,
  signIn,
  startWorld,
  textAt,
  tokenRequest,
} from "./support.ts";

describe("document 1, Authentication", () => {
  test("3 and 4: client credentials give a JWT of type Bearer with its lifetime in seconds", async () => {
    const { emulator } = await startWorld({ tokenLifetimeSeconds: 120 });
    const response = await tokenRequest(emulator, "dev");
    const body = (await response.json()) as Json;
    expect(response.status).toBe(200);
    expect(body).toMatchObject({ expires_in: 120, token_type: "Bearer" });
    expect(textAt(body, "access_token").split(".")).toHaveLength(3);
  });

  test.each([
    ["a wrong secret", { client_secret: "prod-secret" }, 401],
    ["an unknown client", { client_id: "nobody" }, 401],
    ["another grant type", { grant_type: "password" }, 400],
  ])("3: %s is refused", async (_what, form, status) => {
    const { emulator } = await startWorld();
    const response = await tokenRequest(emulator, "dev", form);
    expectRefusal(
      { status: response.status, body: (await response.json()) as Json, headers: response.headers },
      status,
    );
  });

  test("3: a token request that is not form-encoded is refused", async () => {
    const { emulator } = await startWorld();
    const response = await fetch(`${emulator.baseUrl("dev")}/auth/realms/dev/protocol/openid-connect/token`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ grant_type: "client_credentials" }),
    });
    expect(response.status).toBe(400);
  });

  test("3: the realm is the name of the tenant", async () => {
    const { emulator } = await startWorld();
    const response = await fetch(
      `${emulator.baseUrl("dev")}/auth/realms/prod/protocol/openid-connect/token`,
      {
        method: "POST",
        body: new URLSearchParams({ grant_type: "client_credentials" }),
      },
    );
    expect(response.status).toBe(404);
  });

  test("1: a request without a token gives 401", async () => {
    const { emulator } = await startWorld();
    expect((await fetch(`${emulator.baseUrl("dev")}${catalog}/terms`)).status).toBe(401);
  });

  test("5: an expired token gives 401", async () => {
    let now = 0;
    const { api } = await startWorld({ tokenLifetimeSeconds: 300, clock: () => now });
    now = 299_999;
    expect((await api.get(`${catalog}/terms`)).status).toBe(200);
    now = 300_000;
    expectRefusal(await api.get(`${catalog}/terms`), 401);
  });

  test("5: the token of another tenant gives 401", async () => {
    const { emulator } = await startWorld();
    const token = textAt((await (await tokenRequest(emulator, "prod")).json()) as Json, "access_token");
    const headers = { Authorization: `Bearer ${token}` };
    expect((await fetch(`${emulator.baseUrl("prod")}${catalog}/terms`, { headers })).status).toBe(200);
    expect((await fetch(`${emulator.baseUrl("dev")}${catalog}/terms`, { headers })).status).toBe(401);
  });

  test("5: tokens that were ended give 401", async () => {
    const { emulator, api } = await startWorld();
    emulator.expireTokens("dev");
    expectRefusal(await api.get(`${catalog}/terms`), 401);
  });

  test("6: a missing write permission gives 403 for writes only, in its interface only", async () => {
    const { dev, api } = await startWorld();
    dev.restrict("catalog", { write: false });
    expect((await api.get(`${catalog}/terms`)).status).toBe(200);
    expectRefusal(await api.post(`${catalog}/terms/bulk`, { terms: [] }), 403);
    expectRefusal(await api.post(`${quality}/rules/batch/create`, { data: [] }), 400);
  });

  test("6: a search that uses POST needs the read permission only", async () => {
    const { dev, api } = await startWorld();
    dev.restrict("catalog", { write: false });
    expect((await api.post(`${catalog}/catalog-items/filter`, { filter: {} })).status).toBe(200);
  });

  test("6: a missing read permission gives 403", async () => {
    const { dev, api } = await startWorld();
    dev.restrict("processing", { read: false });
    expectRefusal(await api.get(`${processing}/workflows`), 403);
  });
});

describe("every request", () => {
  test("an unknown path gives 404", async () => {
    const { api } = await startWorld();
    expectRefusal(await api.get("/api/catalog/v2/terms"), 404);
  });

  test("an unknown tenant gives 404", async () => {
    const { emulator } = await startWorld();
    expect((await fetch(`${emulator.url}/staging${catalog}/terms`)).status).toBe(404);
    expect(() => emulator.baseUrl("staging")).toThrow(/no tenant staging/);
  });

  test("document 1, Endpoints: a body that is not JSON gives 400", async () => {
    const { api } = await startWorld();
    expectRefusal(await api.send("POST", `${catalog}/terms/bulk`, { body: "{" }), 400);
  });

  test("document 1, Endpoints: a body of another type gives 415", async () => {
    const { emulator, api } = await startWorld();
    const token = textAt((await (await tokenRequest(emulator, "dev")).json()) as Json, "access_token");
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/merge-patch+json" };
    expectRefusal(await api.send("POST", `${catalog}/terms/bulk`, { headers, body: "{}" }), 415);
  });

  test("is logged with its template, and no secret is", async () => {
    const { emulator, dev } = await startWorld();
    const api = await signIn(emulator, "prod");
    await api.get(`${catalog}/terms?size=5`);
    await api.post(`${catalog}/terms/bulk`, { terms: [] });
    expect(emulator.log.entries.at(-2)).toMatchObject({
      tenant: "prod",
      method: "GET",
      path: `${catalog}/terms`,
      route: `GET ${catalog}/terms`,
      query: { size: "5" },
      status: 200,
    });
    expect(emulator.log.entries.at(-1)).toMatchObject({ body: { terms: [] }, status: 400 });
    expect(JSON.stringify(emulator.log.entries)).not.toContain("prod-secret");
    expect(emulator.log.count({ tenant: "prod", method: "GET" })).toBe(1);
    expect(emulator.log.count({ route: `GET ${catalog}/terms` })).toBe(1);
    emulator.log.clear();
    expect(emulator.log.count()).toBe(0);
    expect(dev.name).toBe("dev");
  });

  test("passes the phases that a test can stop at", async () => {
    const { emulator, api } = await startWorld();
    const phases: string[] = [];
    const off = emulator.on(({ phase, entry }) => {
      phases.push(`${entry.method} ${phase}`);
    });
    await api.get(`${catalog}/terms`);
    await api.post(`${catalog}/terms/bulk`, { terms: [{ type: "businessTerm", name: "A" }] });
    await api.post(`${catalog}/terms/bulk`, { terms: [] });
    await emulator.idle();
    off();
    await api.get(`${catalog}/terms`);
    expect(phases).toEqual([
      "GET received",
      "GET answered",
      "POST received",
      "POST before-commit",
      "POST after-commit",
      "POST answered",
      "POST received",
      "POST before-commit",
      "POST answered",
    ]);
  });

  test("two emulators with the same seed and calls are equal; another seed is not", async () => {
    const dump = async (seed: number): Promise<string> => {
      const { emulator, dev } = await startWorld({ seed });
      const api = await signIn(emulator);
      const created = await api.post(`${catalog}/terms/bulk`, {
        terms: [{ type: "businessTerm", name: "A" }],
      });
      expect(at(created.body, "data.0.name")).toBe("A");
      return JSON.stringify(dev.dump());
    };
    expect(await dump(7)).toBe(await dump(7));
    expect(await dump(7)).not.toBe(await dump(8));
  });

  test("a port that is paused refuses connections, and serves again after", async () => {
    const { emulator, api } = await startWorld();
    await emulator.pause();
    const asked = async (): Promise<unknown> =>
      api.get(`${catalog}/terms`).then(
        () => "answered",
        (error: unknown) => (error as { readonly cause?: { readonly code?: string } }).cause?.code,
      );
    // The first may go over a connection that is open still, and breaks off.
    expect(["ECONNREFUSED", "ECONNRESET", "UND_ERR_SOCKET"]).toContain(await asked());
    expect(await asked()).toBe("ECONNREFUSED");
    await emulator.resume();
    expect((await api.get(`${catalog}/terms`)).status).toBe(200);
  });
});
