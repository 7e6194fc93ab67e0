// `write`: one batch of creates, updates, moves, links and comments, all or none. It deletes nothing.

import Type from 'typebox';
import { fittingLines, printAnswer } from '../answer-text.ts';
import { closed } from '../arguments.ts';
import type { Result } from '../operations.ts';
import { withOptionValues } from '../option-values.ts';
import { argumentError } from '../refusals.ts';
import { defineTool } from '../tool.ts';

/** An operation. The service checks its form and names every problem by its operation. */
const Operation = Type.Unsafe<{ readonly action?: unknown }>({ type: 'object' });

export const write = defineTool({
  name: 'write',
  description: [
    'Apply up to 100 operations in one transaction, all or none. Each has action, object_type and: create {fields},',
    'update {id, fields}, upsert {match, fields}, status {id, status_id}, link and unlink {id, association_id,',
    'target_id}, comment {id, body, mention_user_ids}. {"$op": 0} in place of an id is the record of operation 0;',
    'expected_version is the version from get. Options are values or labels. Moves that need approval are refused. Use dry_run to check first, and',
    'the same request_key when you repeat a call.',
  ].join(' '),
  scopes: ['records:write'],
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  names: { 'Idempotency-Key': 'request_key' },
  inputSchema: Type.Object(
    {
      operations: Type.Array(Operation, { minItems: 1, maxItems: 100 }),
      dry_run: Type.Optional(Type.Boolean()),
      request_key: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    },
    closed,
  ),
  async run({ operations, dry_run = false, request_key }, call) {
    requireNoDelete(operations);
    const headers = request_key === undefined ? {} : { 'idempotency-key': request_key };
    const written = await withOptionValues(operations, call);
    const body = { operations: written as never, ...(dry_run ? { dry_run } : {}) };
    const { data } = await call('batchObjects', { body, headers });
    return printResults(data);
  },
});

function requireNoDelete(operations: readonly { readonly action?: unknown }[]): void {
  const problems = operations.flatMap(({ action }, index) =>
    action === 'delete'
      ? [{ param: `operations[${index}].action`, message: 'Use the tool delete.' }]
      : [],
  );
  if (problems.length > 0) throw argumentError(problems);
}

/** Ids and versions only: values of records are not repeated. */
function printResults({ dry_run, results }: Result<'batchObjects'>['data']): string {
  const lines = results.map(({ action, object_type, id, version, created, comment_id }, index) => {
    const isMade = action === 'create' || created === true;
    return [
      `${index}: ${action} ${object_type}`,
      ...(dry_run === true && isMade ? [] : [id]),
      ...(version === undefined || dry_run === true ? [] : [`version ${version}`]),
      ...(created === undefined ? [] : [created ? 'created' : 'updated']),
      ...(comment_id === undefined || dry_run === true ? [] : [`comment ${comment_id}`]),
    ].join(' ');
  });
  const head = [
    dry_run === true
      ? `dry run, nothing written; operations that would succeed: ${results.length}`
      : `operations done: ${results.length}`,
  ];
  const fitting = fittingLines({ head, data: lines, tail: ['and 100 more'] });
  const left = lines.length - fitting;
  const tail = left > 0 ? [`and ${left} more`] : [];
  return printAnswer({ head: [...head, ...lines.slice(0, fitting)], data: [], tail });
}
