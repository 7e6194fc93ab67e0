// The scopes of keys, with words for each, and who may give them.

import type { Access } from '@workspace-records/client';
import type { PlainKey } from '../../lib/messages/index.ts';
import type { Scope } from './api.ts';

interface ScopeText {
  readonly scope: Scope;
  readonly text: PlainKey;
  /** True: it does nothing for who is no administrator. */
  readonly isAdministrative?: true;
}

const SCOPES: readonly ScopeText[] = [
  { scope: 'records:read', text: 'scope.recordsRead' },
  { scope: 'records:write', text: 'scope.recordsWrite' },
  { scope: 'records:delete', text: 'scope.recordsDelete' },
  { scope: 'comments:read', text: 'scope.commentsRead' },
  { scope: 'comments:write', text: 'scope.commentsWrite' },
  { scope: 'users:read', text: 'scope.usersRead' },
  { scope: 'audit:read', text: 'scope.auditRead' },
  { scope: 'keys:write', text: 'scope.keysWrite' },
  { scope: 'workspace:read', text: 'scope.workspaceRead' },
  { scope: 'workspace:write', text: 'scope.workspaceWrite', isAdministrative: true },
];

/** A key that reads is the one that does least harm. */
export const FIRST_SCOPES: readonly Scope[] = ['records:read'];

export function scopesFor({ administrator }: Access): readonly ScopeText[] {
  return SCOPES.filter(
    ({ isAdministrative }) => isAdministrative !== true || administrator.allowed,
  );
}
