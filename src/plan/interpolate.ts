import type { PlanProblem } from "./plan-error.ts";

/** Only needed to talk to an environment. */
const signsIn = /^(?:source|target)\.(?:clientId|clientSecret|masterData\.(?:username|password))$/;

const variable = /(\$)?\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** What a plan has to say so that it is read as this value: a `${NAME}` that stands in a name is no variable. */
export function asItIs(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(variable, (whole) => whole.replace("${", "$$${"));
  if (Array.isArray(value)) return value.map(asItIs);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asItIs(item)]));
}

/**
 * Puts environment variables in the place of `${NAME}` in every text of a plan; nothing else of the environment is
 * read. A variable that is missing is a problem that names it, but for what signs in where
 * that is not needed (`offline`). `$${NAME}` stays as `${NAME}`.
 */
export function interpolate(
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
  problems: PlanProblem[],
  offline = false,
  path = "",
): unknown {
  if (typeof value === "string") {
    return value.replaceAll(variable, (whole, escaped: string | undefined, name: string) => {
      if (escaped !== undefined) return whole.slice(1);
      const found = Object.hasOwn(env, name) ? env[name] : undefined;
      if (found !== undefined && found !== "") return found;
      if (offline && signsIn.test(path)) return whole;
      problems.push({
        path,
        summary: `the environment variable ${name} is ${found === undefined ? "not set" : "empty"}`,
        suggestion: `Set it (export ${name}=...), or name a file that does with --env-file.`,
        variable: { name, isEmpty: found !== undefined },
      });
      return whole;
    });
  }
  if (Array.isArray(value))
    return value.map((item, index) => interpolate(item, env, problems, offline, `${path}[${index}]`));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      interpolate(item, env, problems, offline, path === "" ? key : `${path}.${key}`),
    ]),
  );
}
