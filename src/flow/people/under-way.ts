// A sign-in at an identity provider that is under way: the state that the browser that began it keeps until it comes
// back, in a cookie of its own for each, and the secrets that are made from it. None of it is stored here (D217,
// D410).

import { createHmac } from 'node:crypto';
import { LIMITS } from '../../limits.ts';
import { WORKSPACE_SLUG_PATTERN } from '../../model/definition/physical-names.ts';
import { isPathOf } from '../../model/rights/application-path.ts';
import { isToken } from '../../model/rights/session-token.ts';

/** The purpose of a sign-in at an identity provider. */
export interface SignInRequest {
  readonly provider: string;
  /** A slug. */
  readonly workspace: string;
  /** The path of the next page of the application; undefined: its first page. */
  readonly to: string | undefined;
  /** The start in milliseconds since 1970 by the clock of a process, which is good enough for minutes. */
  readonly since: number;
}

export interface UnderWay extends SignInRequest {
  readonly token: string;
  /** True once it has signed somebody in: it is never finished a second time. */
  readonly isDone: boolean;
}

/** The state that the provider returns unread. */
export interface SignInState {
  /** Identifies a sign-in of one browser. */
  readonly id: string;
  readonly workspace: string;
}

const ID_LENGTH = 16;

/** All secrets of a sign-in come from its token, so that none has to be stored. */
export function secretsOf({ token, provider, workspace }: UnderWay) {
  const derived = (use: string) =>
    createHmac('sha256', token).update([use, provider, workspace].join('\n')).digest('base64url');
  const own = derived('state');
  return {
    id: own.slice(0, ID_LENGTH),
    state: `${workspace}.${own}`,
    nonce: derived('nonce'),
    verifier: derived('verifier'),
  };
}

/** Anybody can have written it: the cookie with this id says whether this browser has begun it. */
export function readState(state = ''): SignInState | undefined {
  const at = state.lastIndexOf('.');
  const own = state.slice(at + 1);
  if (at < 1 || !isToken(own)) return undefined;
  return { id: own.slice(0, ID_LENGTH), workspace: state.slice(0, at) };
}

/** The content of a cookie. */
export function printUnderWay({ token, provider, workspace, to, since, isDone }: UnderWay): string {
  const values = [token, provider, workspace, since, isDone, ...(to === undefined ? [] : [to])];
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** Undefined for what no cookie of the last ten minutes holds. */
export function parseUnderWay(text: string | undefined, now: number): UnderWay | undefined {
  const [token, provider, workspace, since, isDone, to] = valuesIn(text);
  if (typeof token !== 'string' || !isToken(token)) return undefined;
  if (typeof provider !== 'string' || typeof workspace !== 'string') return undefined;
  // Anybody can write a cookie, and the database does not take every text.
  if (!new RegExp(WORKSPACE_SLUG_PATTERN).test(workspace)) return undefined;
  if (typeof since !== 'number' || typeof isDone !== 'boolean') return undefined;
  if (now - since > LIMITS.signInSeconds * 1000) return undefined;
  const isPath = typeof to === 'string' && isPathOf(workspace, to);
  return { token, provider, workspace, since, isDone, to: isPath ? to : undefined };
}

function valuesIn(text = ''): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(values) ? values : [];
  } catch {
    return [];
  }
}
