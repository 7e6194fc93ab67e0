// The record that a merged one has become, for the answer to a request for the merged one (docs/design/merge.md).

import { ApiError } from '../../../errors.ts';
import { objectAccess } from '../../../model/rights/access.ts';
import { parseRecordId } from '../../../model/values/record-id.ts';
import { reachPredicate } from '../../../plan/read/read-plan.ts';
import { allOf, reachSql } from '../../../sql/read/where-sql.ts';
import { toStatement } from '../../../sql/sql.ts';
import { mergedIntoSql } from '../../../sql/write/merge-sql.ts';
import { ask, type ReadContext } from './read-statement.ts';

/** The error with the id of that record, when the caller may read it. */
export async function withMergedInto(
  context: ReadContext,
  named: { readonly object_type: string; readonly record_id: string },
  error: unknown,
): Promise<unknown> {
  const { model, caller } = context;
  const id = parseRecordId(named.record_id);
  const object = model.objects.get(named.object_type);
  const isMissing = error instanceof ApiError && error.code === 'record_not_found';
  if (!isMissing || id === undefined || object === undefined) return error;
  if (!caller.scopes.has('records:read') || (error.param ?? 'record_id') !== 'record_id') {
    return error;
  }
  const reach = reachPredicate(caller, object, objectAccess(caller, object).reach.read);
  const asked = { id, condition: allOf(reachSql(reach)) };
  const [row] = await ask(context, toStatement(mergedIntoSql(model.schema, object, asked)));
  if (row === undefined) return error;
  const { code, param, translatable: message, headers, details } = error;
  return new ApiError(code, {
    ...(param === undefined ? {} : { param }),
    ...{ message, headers, details: { ...details, merged_into: String(row.id) }, cause: error },
  });
}
