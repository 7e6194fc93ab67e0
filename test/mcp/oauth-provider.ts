// A program with the provider of @modelcontextprotocol/client, as its authors write one; what it is given is in the record.

import type { OAuthClientProvider } from '@modelcontextprotocol/client';

export interface Kept {
  /** The address to which it has sent the person. */
  url?: URL;
  verifier?: string;
  client?: { readonly client_id: string };
  tokens?: unknown;
}

/** `client_id`: the address of its metadata, which is https for the client of MCP to offer it by itself. */
export function openProvider(callback: string, client_id?: string) {
  const kept: Kept = client_id === undefined ? {} : { client: { client_id } };
  const provider: OAuthClientProvider = {
    redirectUrl: callback,
    clientMetadata: { client_name: 'Planner', redirect_uris: [callback] },
    state: () => 'the state',
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (url) => void Object.assign(kept, { url }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier ?? '',
  };
  return { provider, kept };
}
