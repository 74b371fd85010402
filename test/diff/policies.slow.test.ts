import { describe, it } from "vitest";
import { cases, expectPolicyOverHttp } from "./support/policy-wire.ts";

describe("a policy, for every kind that it speaks to", () => {
  it.each(cases)("$said, $kind, source $source, target $target: $action", expectPolicyOverHttp);
});
