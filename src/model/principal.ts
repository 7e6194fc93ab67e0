// Principals: API keys and commands. Each acts as one user and never exceeds the rights of that user;
// what follows from the kind of a principal is decided in access.ts and in flow/rate-limiter.ts. Pure.

import type { ApiKeyIdentity } from './api-key-form.ts';

/** A request that is authenticated with an API key. */
export interface KeyPrincipal extends ApiKeyIdentity {
  readonly kind: 'key';
}

/** A command or a job that imports a file; it is not limited. */
export interface ImportPrincipal {
  readonly kind: 'import';
  /** Of who asked for the job; all of them for a command. */
  readonly scopes?: readonly string[];
}

/** A command or a job that reads, such as an export; it is not limited. */
export interface ExportPrincipal {
  readonly kind: 'export';
  /** Of who asked for the job; all of them for a command. */
  readonly scopes?: readonly string[];
}

export type Principal = KeyPrincipal | ImportPrincipal | ExportPrincipal;

/** The API key of a principal that is one. */
export function keyOf(principal: Principal): KeyPrincipal | undefined {
  return principal.kind === 'key' ? principal : undefined;
}
