/** The keys that each part of a plan may have: for "did you mean". */
export const planKeys: Readonly<Record<string, readonly string[]>> = {
  "": ["version", "source", "target", "select", "pairing", "policy", "limits"],
  source: ["name", "baseUrl", "authUrl", "realm", "clientId", "clientSecret"],
  target: ["name", "baseUrl", "authUrl", "realm", "clientId", "clientSecret", "confirm"],
  select: ["kinds", "include", "exclude", "dependencies"],
  "select.include": ["kind", "kinds", "name", "urns", "file"],
  "select.exclude": ["kind", "kinds", "name", "urns", "file"],
  pairing: ["sources", "connections", "paths", "groups"],
  "pairing.paths": ["pattern", "replace"],
  policy: [
    "adopt",
    "drift",
    "conflict",
    "missingTarget",
    "schedules",
    "targetOnly",
    "missingGroup",
    "replace",
    "termLinks",
  ],
  limits: ["concurrency", "requestTimeout", "quietPeriod", "answerSize"],
};
