// Starts an export of a whole workspace (docs/design/workspaces.md, D627), and the rights that it and its file need.

import { WORKSPACE_EXPORT_JOBS } from '../../control/jobs/job-kinds.ts';
import type { JobRow } from '../../control/jobs/jobs.ts';
import {
  type Caller,
  lacksScope,
  requireAdministrator,
  type Scope,
} from '../../model/rights/access.ts';
import type { Answer } from '../records/idempotency.ts';
import type { Asking } from '../records/keyed-requests.ts';
import { askedBy, requestJob } from './job-requests.ts';

/** The file has everything that these show of anybody. */
const SCOPES: readonly Scope[] = [
  ...(['workspace:write', 'users:read', 'records:read'] as const),
  ...(['comments:read', 'audit:read'] as const),
];

/** Errors: `permission_denied`, `insufficient_scope`, `conflict` while another one waits or runs, those of jobs. */
export function requestWorkspaceExport(
  asking: Asking,
  request_id: string,
  respond: (row: JobRow) => Answer,
): Promise<Answer> {
  requireWholeWorkspace(asking.caller);
  const input = askedBy(asking.caller, request_id);
  const request = { kind: WORKSPACE_EXPORT_JOBS, input, asked: [], single: true } as const;
  return requestJob(asking, async () => request, respond);
}

/** Errors: `permission_denied`, `insufficient_scope`. */
export function requireWholeWorkspace(caller: Caller): void {
  requireAdministrator(caller);
  for (const scope of SCOPES) if (!caller.scopes.has(scope)) throw lacksScope([scope]);
}
