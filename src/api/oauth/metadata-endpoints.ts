// The documents that clients of OAuth read first: the metadata of the resource (RFC 9728) and of the authorization server (RFC 8414),
// for the origin at which they asked; and the address to which they send browsers.

import { answerJson } from '../../http/answer/answer.ts';
import type { Call } from '../../http/request/call.ts';
import type { Endpoint } from '../../http/route/endpoint.ts';
import { MCP } from '../../http/route/mcp.ts';
import { DEFAULT_SCOPES } from '../../model/rights/access.ts';
import { GRANTED_SCOPES } from '../../plan/oauth/authorization-plan.ts';
import { refusal } from '../../plan/oauth/client-plan.ts';
import type { ServiceContext } from '../context.ts';

/** Longer addresses are refused by browsers, proxies or the service itself. */
const LOCATION_LENGTH = 8000;
const TOO_LONG = refusal('invalid_request', 'The request is too long.');
const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';

export const METADATA_ENDPOINTS: readonly Endpoint<ServiceContext>[] = [
  document(RESOURCE, (origin) => resourceAt(origin, '')),
  document(`${RESOURCE}${MCP}`, (origin) => resourceAt(origin, MCP)),
  document(SERVER, serverAt),
  document(`${SERVER}${MCP}`, serverAt),
  {
    method: 'GET',
    path: '/oauth/authorize',
    async answer(call, { query }, { config }) {
      const Location = pageOf(call, query, config.baseDomain);
      if (Location.length > LOCATION_LENGTH)
        return answerJson(call, { status: 400, body: TOO_LONG });
      return answerJson(call, { status: 302, headers: { Location }, body: {} });
    },
  },
];

function document(
  path: `/${string}`,
  contentAt: (origin: string) => object,
): Endpoint<ServiceContext> {
  return {
    method: 'GET',
    path,
    answer: async (call) => answerJson(call, { status: 200, body: contentAt(originOf(call)) }),
  };
}

function originOf({ transport }: Call): string {
  return transport.site().origin;
}

function resourceAt(origin: string, path: string) {
  return {
    resource: origin + path,
    authorization_servers: [origin],
    scopes_supported: DEFAULT_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Workspace Records',
    resource_documentation: `${origin}/docs/guide/agents`,
  };
}

function serverAt(origin: string) {
  const methods = ['none', 'client_secret_basic', 'client_secret_post'];
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    revocation_endpoint: `${origin}/oauth/revoke`,
    registration_endpoint: `${origin}/oauth/register`,
    scopes_supported: GRANTED_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

/** The page on which a person decides: of the workspace of the host, or after the person has chosen one. */
function pageOf({ transport }: Call, query: string, baseDomain: string | undefined): string {
  const { hostname } = transport.site();
  const suffix = `.${baseDomain}`;
  const isOfWorkspace = baseDomain !== undefined && hostname.endsWith(suffix);
  const path = isOfWorkspace ? `/${hostname.slice(0, -suffix.length)}/authorize` : '';
  return `/app${path}?${new URLSearchParams({ authorize: query })}`;
}
