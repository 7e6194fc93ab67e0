// An authorization server and a server of MCP for the scripts here: every person agrees at once. `answer` of a script
// comes first; `log` has each request with its answer.

import { createServer } from 'node:http';

export async function openServer(answer = () => undefined) {
  const state = {
    valid: new Set(),
    clients: new Set(),
    refresh: undefined,
    asked: undefined,
    log: [],
    count: 0,
  };
  let origin = '';
  const ends = { '/oauth/register': register, '/oauth/token': token, '/mcp': mcp };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, origin);
    let text = '';
    for await (const piece of request) text += piece;
    const isForm = request.headers['content-type']?.includes('form');
    const body = isForm
      ? Object.fromEntries(new URLSearchParams(text))
      : text === ''
        ? {}
        : JSON.parse(text);
    const sent = { request, url, body, key: request.headers.authorization?.slice(7) };
    const [status, value, headers] =
      answer(sent, state) ?? ends[url.pathname]?.(sent) ?? documents(sent);
    state.log.push(
      `${request.method} ${url.pathname} ${body.method ?? body.grant_type ?? ''} ${status}`,
    );
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(value === undefined ? undefined : JSON.stringify(value));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${server.address().port}`;

  function documents({ url }) {
    if (url.pathname === '/.well-known/oauth-protected-resource/mcp') {
      const scopes_supported = ['records:read', 'records:write'];
      return [
        200,
        { resource: `${origin}/mcp`, authorization_servers: [origin], scopes_supported },
      ];
    }
    if (url.pathname === '/.well-known/oauth-authorization-server') {
      return [
        200,
        {
          ...{ issuer: origin, authorization_endpoint: `${origin}/oauth/authorize` },
          ...{
            token_endpoint: `${origin}/oauth/token`,
            registration_endpoint: `${origin}/oauth/register`,
          },
          ...{ response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] },
          ...{
            token_endpoint_auth_methods_supported: ['none'],
            authorization_response_iss_parameter_supported: true,
          },
        },
      ];
    }
    if (url.pathname !== '/oauth/authorize') return [404, { error: 'not_found' }];
    state.asked = Object.fromEntries(url.searchParams);
    const { redirect_uri, state: given = '' } = state.asked;
    const location = `${redirect_uri}?${new URLSearchParams({ code: 'code', state: given, iss: origin })}`;
    return [302, undefined, { location }];
  }
  function register({ body: { redirect_uris } }) {
    state.count += 1;
    const client_id = `client${state.count}`;
    state.clients.add(client_id);
    return [201, { client_id, redirect_uris, token_endpoint_auth_method: 'none' }];
  }
  function token({ body }) {
    if (!state.clients.has(body.client_id)) return [401, { error: 'invalid_client' }];
    if (body.grant_type === 'refresh_token' && body.refresh_token !== state.refresh) {
      return [400, { error: 'invalid_grant' }];
    }
    state.count += 1;
    const access_token = `access${state.count}`;
    state.valid.add(access_token);
    state.refresh = `refresh${state.count}`;
    const scope = 'records:read';
    return [
      200,
      { access_token, token_type: 'Bearer', expires_in: 3600, refresh_token: state.refresh, scope },
    ];
  }
  function mcp({ request, body: { id, method, params }, key }) {
    if (request.method !== 'POST') return [405, { error: 'method_not_allowed' }];
    const resource_metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    const challenge = {
      'www-authenticate': `Bearer error="invalid_token", resource_metadata="${resource_metadata}"`,
    };
    if (!state.valid.has(key)) return [401, { error: 'invalid_token' }, challenge];
    if (id === undefined) return [202];
    const tool = { name: 'describe', inputSchema: { type: 'object', properties: {} } };
    const result = {
      initialize: {
        ...{ protocolVersion: params?.protocolVersion, capabilities: { tools: {} } },
        serverInfo: { name: 'server', version: '1' },
      },
      'tools/list': { tools: [tool] },
      'tools/call': { content: [{ type: 'text', text: 'hello' }] },
    }[method];
    const error = { code: -32601, message: 'no' };
    return [200, { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) }];
  }
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin, state, close };
}

/** A program with the provider of the library, whose person agrees at once; `opened`: how often the browser was opened. */
export function openProgram(metadata = {}) {
  const kept = { opened: 0 };
  const redirectUrl = 'http://127.0.0.1:9/callback';
  const provider = {
    redirectUrl,
    clientMetadata: { client_name: 'Trial', redirect_uris: [redirectUrl], ...metadata },
    state: () => 'state',
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier,
    redirectToAuthorization: (url) => void Object.assign(kept, { url, opened: kept.opened + 1 }),
    invalidateCredentials(what) {
      if (what !== 'client') kept.tokens = undefined;
      if (what === 'all' || what === 'client') kept.client = undefined;
    },
  };
  return { provider, kept };
}

/** Each library in one form: connect, go back from the browser, call the tool. */
export const LIBRARIES = {
  '@modelcontextprotocol/client 2.4.0': async (url, provider) => {
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    return sdk(Client, StreamableHTTPClientTransport, (transport, back) =>
      transport.finishAuth(back),
    )(url, provider);
  },
  '@modelcontextprotocol/sdk 1.32.2': async (url, provider) => {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StreamableHTTPClientTransport } = await import(
      '@modelcontextprotocol/sdk/client/streamableHttp.js'
    );
    return sdk(Client, StreamableHTTPClientTransport, (transport, back) =>
      transport.finishAuth(back.get('code')),
    )(url, provider);
  },
  '@ai-sdk/mcp 2.0.99': async (url, provider) => {
    const { createMCPClient, auth } = await import('@ai-sdk/mcp');
    let client;
    return {
      async connect() {
        client = await createMCPClient({
          transport: { type: 'http', url, authProvider: provider },
        });
      },
      goBack: (back) =>
        auth(provider, { serverUrl: new URL(url), authorizationCode: back.get('code') }),
      call: async () =>
        (await client.tools()).describe.execute({}, { toolCallId: '1', messages: [] }),
    };
  },
};

function sdk(Client, Transport, goBack) {
  return (url, provider) => {
    let client, transport;
    return {
      connect() {
        transport = new Transport(new URL(url), { authProvider: provider });
        client = new Client({ name: 'trial', version: '1' });
        return client.connect(transport);
      },
      goBack: (back) => goBack(transport, back),
      call: () => client.callTool({ name: 'describe', arguments: {} }),
    };
  };
}

/** A library that is connected, with its server. */
export async function connected(name, { answer, metadata } = {}) {
  console.warn = () => undefined;
  const server = await openServer(answer);
  const { provider, kept } = openProgram(metadata);
  const library = await LIBRARIES[name](`${server.origin}/mcp`, provider);
  await library.connect().catch(() => undefined);
  const { headers } = await fetch(kept.url, { redirect: 'manual' });
  await library.goBack(new URL(headers.get('location')).searchParams);
  await library.connect();
  kept.opened = 0;
  server.state.log.length = 0;
  return { ...server, kept, library };
}
