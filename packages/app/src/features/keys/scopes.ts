// The scopes of keys, with words for each, and the people who may give them.

import type { Access } from '@workspace-records/client';
import type { PlainKey } from '../../lib/messages/index.ts';
import type { Scope } from './api.ts';

interface ScopeText {
  readonly scope: Scope;
  readonly text: PlainKey;
}

/** A scope that is new has to be explained here, or this does not compile. */
const TEXTS: Readonly<Record<Scope, PlainKey>> = {
  'records:read': 'scope.recordsRead',
  'records:write': 'scope.recordsWrite',
  'records:delete': 'scope.recordsDelete',
  'comments:read': 'scope.commentsRead',
  'comments:write': 'scope.commentsWrite',
  'users:read': 'scope.usersRead',
  'audit:read': 'scope.auditRead',
  'keys:write': 'scope.keysWrite',
  'webhooks:write': 'scope.webhooksWrite',
  'approvals:write': 'scope.approvalsWrite',
  'workspace:read': 'scope.workspaceRead',
  'workspace:write': 'scope.workspaceWrite',
};

/** The scopes without effect for people who are not administrators. */
const ADMINISTRATIVE: ReadonlySet<Scope> = new Set(['workspace:write']);

/** A scope as a sentence. */
export function scopeText(scope: Scope): PlainKey {
  return TEXTS[scope];
}

/** A key that reads is the one that does least harm. */
export const FIRST_SCOPES: readonly Scope[] = ['records:read'];

export function scopesFor({ administrator }: Access): readonly ScopeText[] {
  return (Object.keys(TEXTS) as Scope[])
    .filter((scope) => administrator.allowed || !ADMINISTRATIVE.has(scope))
    .map((scope) => ({ scope, text: TEXTS[scope] }));
}
