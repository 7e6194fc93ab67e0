// Principals: API keys and commands. Each acts as one user and never exceeds the rights of that user;
// what follows from the kind of a principal is decided in access.ts and in flow/rate-limiter.ts. Pure.

import type { ApiKeyIdentity } from './api-key-form.ts';

/** A request that is authenticated with an API key. */
export interface KeyPrincipal extends ApiKeyIdentity {
  readonly kind: 'key';
}

/** The command that imports a file: it acts with all scopes and is not limited. */
export interface ImportPrincipal {
  readonly kind: 'import';
}

/** A command that reads, such as an export: with all scopes, not limited. */
export interface ExportPrincipal {
  readonly kind: 'export';
}

export type Principal = KeyPrincipal | ImportPrincipal | ExportPrincipal;

/** The API key of a principal that is one. */
export function keyOf(principal: Principal): KeyPrincipal | undefined {
  return principal.kind === 'key' ? principal : undefined;
}
