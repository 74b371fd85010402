import type { ServiceError } from "./error.ts";

/** Codes of a chain that ends at an authority Node does not know. */
const unknownAuthority: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** What a person does about a certificate that was not accepted; undefined when that was not the trouble. */
export function certificateAdvice(error: ServiceError): string | undefined {
  const code = error.cause instanceof Error && "code" in error.cause ? String(error.cause.code) : "";
  if (unknownAuthority.has(code))
    return "The certificate is from an authority that Node does not know: name a PEM file with the authority's own certificate in the environment, NODE_EXTRA_CA_CERTS=/path/to/ca.pem, and run the same command again.";
  if (code === "CERT_HAS_EXPIRED")
    return "The certificate of this address has expired: whoever runs the service, or the proxy before it, renews it.";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "The certificate is for another name than the one in baseUrl or authUrl: correct the address in the plan.";
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER")
    return "The plan says https and this port speaks something else: correct the port of baseUrl or authUrl, or write http where the service has nothing else.";
  return undefined;
}
