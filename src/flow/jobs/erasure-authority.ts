// The author of an erasure, as they are now: they must still be an administrator.

import type { BulkAuthority } from '../../control/jobs/bulk-rows.ts';
import { NO_LONGER_ALLOWED } from '../../control/jobs/job-author.ts';
import type { ErasureInput } from '../../control/jobs/job-kinds.ts';
import type { MemberRow } from '../../control/people/people.ts';
import { operatorError } from '../../errors.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import { type Caller, callerOf } from '../../model/rights/access.ts';

export interface JudgedErasure extends BulkAuthority {
  readonly model: WorkspaceModel;
  readonly caller: Caller;
}

/** Errors: an operator error. */
export function judgeErasure(
  { scopes, api_key_id }: ErasureInput,
  model: WorkspaceModel,
  member: MemberRow,
): JudgedErasure {
  const caller = callerOf(model, member, { kind: 'bulk', scopes });
  if (!caller.access.administrator) throw operatorError(NO_LONGER_ALLOWED);
  return { schema: model.schema, member, api_key_id, model, caller };
}
