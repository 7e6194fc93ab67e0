// The rights that the author of a bulk change has now (D286).

import type { BulkAuthority } from '../../control/jobs/bulk-rows.ts';
import type { BulkInput } from '../../control/jobs/job-kinds.ts';
import type { MemberRow } from '../../control/people/people.ts';
import { isRefusal, operatorError } from '../../errors.ts';
import type { ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { type Caller, callerOf } from '../../model/rights/access.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import { requireChange } from './bulk-request.ts';

/** The rights and the object with which a page of records is changed. */
export interface Judged extends BulkAuthority {
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  readonly object: ObjectModel;
}

/** Errors: an operator error when they may no longer make the change. */
export function judgeBulk(input: BulkInput, model: WorkspaceModel, member: MemberRow): Judged {
  const caller = callerOf(model, member, {
    kind: 'bulk',
    scopes: input.scopes,
    gates: input.gates,
  });
  try {
    const object = requireObject(model, caller, input.object_type);
    requireChange({ model, caller }, object, input);
    const { schema } = model;
    return { schema, member, api_key_id: input.api_key_id, model, caller, object };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw operatorError(`The change is no longer possible: ${error.message}`, error);
  }
}
