import type { Parties } from "../../../src/model/mapping.ts";

export const tool = "urn-ferry 0.1.0";
export const parties: Parties = {
  source: { name: "dev", baseUrl: "https://dev.example.com", tenant: "acme" },
  target: { name: "prod", baseUrl: "https://prod.example.com", tenant: "acme-prod" },
};
