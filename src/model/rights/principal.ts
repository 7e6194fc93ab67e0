// Principals: API keys, sessions and commands. Each acts as one user and never exceeds the rights of that
// user; what follows from the kind of a principal is decided in access.ts and in flow/people/rate-limiter.ts. Pure.

import { LIMITS } from '../../limits.ts';
import type { ApiKeyIdentity } from './api-key-form.ts';

/** A request that is authenticated with an API key. */
export interface KeyPrincipal extends ApiKeyIdentity {
  readonly kind: 'key';
  /** False: it neither moves records through gates nor approves. */
  readonly gates: boolean;
  /** 'mcp' for a request of an MCP client; undefined: it came over HTTP. */
  readonly via?: 'mcp';
  /** The view that a calendar feed reads; undefined: another key. */
  readonly view_id?: string;
}

/** How a person signed in. */
export type SignInMethod = 'password' | 'link' | 'oidc' | 'passkey';

/** `given`: the person has proved one; `grace`: the one session that may begin without, to set one up; null: neither. */
export type SecondFactorState = 'given' | 'grace' | null;

/** A session as `GET /me` shows it. */
export interface SessionIdentity {
  readonly id: string;
  /** When the person signed in. */
  readonly created_at: string;
  readonly last_used_at: string;
  readonly expires_at: string;
}

/** A request of a person who signed in: with all scopes, and a limit of its own. */
export interface SessionPrincipal extends SessionIdentity {
  readonly kind: 'session';
  readonly method: SignInMethod;
  readonly second_factor: SecondFactorState;
  /** True: a role of the person requires a second factor that the session lacks, so it can only set one up. */
  readonly isLimited: boolean;
  readonly requests_per_minute: number;
}

/** An administrator who views as somebody else, in a session: reads with the rights of that person (D536). */
export interface ViewingPrincipal {
  readonly kind: 'viewing';
  /** The id of the session, whose request limit it shares. */
  readonly id: string;
  readonly session: SessionPrincipal;
  /** The administrator. */
  readonly viewer: { readonly id: number; readonly name: string | null };
  readonly scopes: readonly string[];
  readonly ends_at: string;
  readonly requests_per_minute: number;
}

/** A command or a job that imports a file; it is not limited. */
export interface ImportPrincipal {
  readonly kind: 'import';
  /** The scopes of the job's author; undefined for a command: all scopes. */
  readonly scopes?: readonly string[];
}

/** A command or a job that reads, such as an export; it is not limited. */
export interface ExportPrincipal {
  readonly kind: 'export';
  /** The scopes of the job's author; undefined for a command: all scopes. */
  readonly scopes?: readonly string[];
}

/** A job that changes many records; it is not limited. */
export interface BulkPrincipal {
  readonly kind: 'bulk';
  /** The scopes of the job's author. */
  readonly scopes: readonly string[];
  /** False: started with a key that does not move records through gates. */
  readonly gates?: boolean | undefined;
}

/** A webhook, which reads for its owner; it is not limited. */
export interface WebhookPrincipal {
  readonly kind: 'webhook';
  /** The scopes of the key or session that created the webhook. */
  readonly scopes: readonly string[];
}

/** A move that was approved: it acts as the person who asked for it, with all their rights of the moment. */
export interface RequestPrincipal {
  readonly kind: 'request';
}

/** A mail, which has what its reader may know. */
export interface MailPrincipal {
  readonly kind: 'mail';
}

export type Principal =
  | KeyPrincipal
  | SessionPrincipal
  | ViewingPrincipal
  | ImportPrincipal
  | ExportPrincipal
  | BulkPrincipal
  | WebhookPrincipal
  | RequestPrincipal
  | MailPrincipal;

/** A principal whose requests are counted and remembered under its id. */
export type IdentifiedPrincipal = KeyPrincipal | SessionPrincipal | ViewingPrincipal;

/** The secret of an API key, the token of a session, or the secret of a calendar feed. */
export type CredentialKind = (KeyPrincipal | SessionPrincipal)['kind'] | 'feed';

/** The API key of a principal that is one. */
export function keyOf(principal: Principal): KeyPrincipal | undefined {
  return principal.kind === 'key' ? principal : undefined;
}

/** The session of a principal that is one. */
export function sessionOf(principal: Principal): SessionPrincipal | undefined {
  return principal.kind === 'session' ? principal : undefined;
}

/** The viewing of a principal that is one. */
export function viewingOf(principal: Principal): ViewingPrincipal | undefined {
  return principal.kind === 'viewing' ? principal : undefined;
}

/** The session that a request was sent in, by its person or by an administrator who views as them. */
export function sendingSession(principal: Principal): SessionPrincipal | undefined {
  return sessionOf(principal) ?? viewingOf(principal)?.session;
}

/** The principal itself when it has an id, which no other one has but the viewing in a session. */
export function identifiedOf(principal: Principal): IdentifiedPrincipal | undefined {
  return keyOf(principal) ?? sessionOf(principal) ?? viewingOf(principal);
}

/** `now`: milliseconds since 1970. Each sign-in makes a session of its own. */
export function isFreshSignIn({ created_at }: SessionIdentity, now: number): boolean {
  return now - Date.parse(created_at) < LIMITS.freshSignInMinutes * 60_000;
}

/** The key as an MCP client uses it: whatever it may do otherwise, it passes no gates (D602). */
export function ofMcp(key: KeyPrincipal): KeyPrincipal {
  return Object.freeze({ ...key, gates: false, via: 'mcp' });
}

/** False for keys, and their jobs, that neither move records through gates nor approve. */
export function passesGates({ principal }: { readonly principal: Principal }): boolean {
  return !('gates' in principal) || principal.gates !== false;
}
