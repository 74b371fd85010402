import { type Answer, ok } from "../http/call.ts";
import type { Call, Route } from "./call.ts";
import { onlyParameters, routesOf } from "./call.ts";

/** Document 3, "Directory". Of most of what it lists the payloads are not shown: 404 there. */
export const directoryRoutes: readonly Route[] = routesOf("instance", { "GET /": show, "GET ": show });

function show(call: Call): Answer {
  onlyParameters(call, []);
  const { data, baseUrl } = call;
  const at = (path: string): string => `${baseUrl}/api/rest/${path}`;
  const newer =
    data.quirks.directory === "older"
      ? {}
      : { persistence: at("persistence"), purge: at("purge"), operationPlan: at("operationPlan") };
  return ok({
    name: `MDM ${data.name}`,
    version: "1.0",
    rwmode: data.quirks.rwmode,
    uris: {
      tasks: at("tasks"),
      eventHandlers: at("eventHandlers"),
      instance: at("instance"),
      master: at("master"),
      ...newer,
      parameters: at("parameters"),
      sourceSystems: at("sourceSystems"),
      statistics: { instance: at("statistics/instance"), master: at("statistics/master") },
      interfaces: {
        services: at("interfaces/services"),
        exports: at("interfaces/exports"),
        loads: at("interfaces/loads"),
        consumers: at("interfaces/consumers"),
      },
    },
  });
}
