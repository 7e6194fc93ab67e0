// Guards of the service against reading, writing or running what must not be, each with the switch that turns it off and
// the tests that see it.

export interface Guard {
  readonly kind: 'rights' | 'bounds' | 'races' | 'rendering';
  readonly name: string;
  readonly file: string;
  /** The text of the guard, which is in the file once, and the text in its place. */
  readonly text: string;
  readonly replacement: string;
  /** Each of these files fails without the guard. */
  readonly tests: readonly string[];
}

/** The text of the file without the guard. Errors: the guard is not in it, or twice. */
export function withoutGuard({ name, file, text, replacement }: Guard, content: string): string {
  const parts = content.split(text);
  if (parts.length !== 2)
    throw new Error(`the guard "${name}" is ${parts.length - 1} times in ${file}`);
  return parts.join(replacement);
}

export const GUARDS: readonly Guard[] = [
  {
    kind: 'rights',
    name: 'reach of records',
    file: 'src/sql/read/where-sql.ts',
    text: 'if (reach.user_ids === undefined) return [];',
    replacement: 'return [];',
    tests: [
      'test/access/matrix.test.ts',
      'test/access/matrix.nightly.test.ts',
      'test/api/non-interference.full.test.ts',
    ],
  },
  {
    kind: 'rights',
    name: 'fields that a role reads',
    file: 'src/model/rights/computed-rights.ts',
    text: "(accessTo.get(key) ?? 'none') !== 'none'",
    replacement: 'accessTo.has(key)',
    tests: [
      'test/model/access.test.ts',
      'test/access/matrix.test.ts',
      'test/access/matrix.nightly.test.ts',
      'test/api/non-interference.full.test.ts',
    ],
  },
  {
    kind: 'rights',
    name: 'inputs of a formula',
    file: 'src/model/rights/computed-rights.ts',
    text: '(computed.get(key) ?? []).every(isRead)',
    replacement: 'true',
    tests: ['test/api/computed-fields.test.ts'],
  },
  {
    kind: 'rights',
    name: 'fields that a role writes',
    file: 'src/model/rights/access.ts',
    text: 'return objectAccess(caller, object).writable.has(field.key);',
    replacement: 'return true;',
    tests: ['test/flow/write-flow.test.ts', 'test/api/records-write.test.ts'],
  },
  {
    kind: 'rights',
    name: 'scopes of a key',
    file: 'src/http/route/pipeline.ts',
    text: 'if (scopes !== undefined && !hasOneScope(caller, scopes)) return lacksScope(scopes);',
    replacement: '',
    tests: ['test/http/invoke.full.test.ts', 'test/access/keys-and-people.test.ts'],
  },
  {
    kind: 'rights',
    name: 'host of another workspace',
    file: 'src/http/route/pipeline.ts',
    text: "if (!transport.isHostOf(model.workspace.slug)) return new ApiError('tenant_host_mismatch');",
    replacement: '',
    tests: ['test/http/admission.test.ts', 'test/http/session-credentials.test.ts'],
  },
  {
    kind: 'rights',
    name: 'requests of other sites',
    file: 'src/http/route/pipeline.ts',
    text: "if (isCredited && isCrossSite(call, true)) return new ApiError('cross_site_request');",
    replacement: '',
    tests: ['test/http/session-credentials.test.ts'],
  },
  {
    kind: 'rights',
    name: 'viewing as a person changes nothing',
    file: 'src/http/route/pipeline.ts',
    text: 'if (isViewing && (stores || route.sessionOnly === true)) return viewedOnly(caller);',
    replacement: '',
    tests: ['test/api/viewing.test.ts'],
  },
  {
    kind: 'rights',
    name: 'owners that a person may assign',
    file: 'src/plan/write/validate-write.ts',
    text: 'if (caller.access.assign_owner && isWithin) return;',
    replacement: 'return;',
    tests: ['test/plan/validate-write.test.ts', 'test/flow/write-model.full.test.ts'],
  },
  {
    kind: 'rights',
    name: 'hidden record that holds a unique value',
    file: 'src/sql/write/lookup-sql.ts',
    text: 'const readable = allOf(reachSql(held.reach));',
    replacement: 'const readable = sql`true`;',
    tests: ['test/api/links.test.ts', 'test/api/batch-atomicity.full.test.ts'],
  },
  {
    kind: 'bounds',
    name: 'conditions of a question',
    file: 'src/plan/read/parse-where.ts',
    text: 'if (reading.conditions > LIMITS.conditions) {',
    replacement: 'if (reading.conditions > 1e9) {',
    tests: ['test/plan/parse-where.test.ts'],
  },
  {
    kind: 'bounds',
    name: 'levels of JSON in a body',
    file: 'src/http/request/body.ts',
    text: 'const { jsonDepth: depth, jsonValues: values } = LIMITS;',
    replacement: 'const { jsonValues: values } = LIMITS, depth = 1e6;',
    tests: ['test/http/body.test.ts'],
  },
  {
    kind: 'bounds',
    name: 'requests in flight',
    file: 'src/http/socket/load-shedder.ts',
    text: '(inFlight >= max ? undefined : openTicket())',
    replacement: 'openTicket()',
    tests: ['test/http/load-shedder.test.ts'],
  },
  {
    kind: 'bounds',
    name: 'jobs that a person waits for',
    file: 'src/flow/jobs/job-requests.ts',
    text: 'if (waiting >= LIMITS.jobsOfUser) throw tooMany();',
    replacement: '',
    tests: ['test/api/import-refusals.test.ts'],
  },
  {
    kind: 'bounds',
    name: 'bytes of an answer',
    file: 'src/plan/read/answer-size.ts',
    text: 'page: LIMITS.answerBytes,\n  record: LIMITS.recordBytes,',
    replacement: 'page: 1e15,\n  record: 1e15,',
    tests: ['test/api/answer-size.full.test.ts'],
  },
  {
    kind: 'races',
    name: 'version that a write requires',
    file: 'src/plan/write/precondition.ts',
    text: 'return any_of === undefined || any_of.includes(token);',
    replacement: 'return true;',
    tests: [
      'test/plan/precondition.test.ts',
      'test/api/preconditions.test.ts',
      'test/api/records-write.test.ts',
      'test/races/write-races.test.ts',
    ],
  },
  {
    kind: 'races',
    name: 'lock of a tree',
    file: 'src/flow/records/lookups.ts',
    text: 'if (strength === undefined) return [];',
    replacement: 'return [];',
    tests: ['test/races/tree-races.test.ts'],
  },
  {
    kind: 'races',
    name: 'lock of the values of an upsert',
    file: 'src/flow/records/lookups.ts',
    text: 'const statement = toStatement(lockNamesSql(plan.model.schema, keys, MATCHES));',
    replacement: 'const statement = toStatement(lockNamesSql(plan.model.schema, [], MATCHES));',
    tests: ['test/races/write-races.test.ts', 'test/api/batch-upsert.test.ts'],
  },
  {
    kind: 'races',
    name: 'lock of what a person has a limited number of',
    file: 'src/control/people/people.ts',
    text: 'pg_advisory_xact_lock(hashtext(',
    replacement: 'concat(hashtext(',
    tests: ['test/api/webhooks.test.ts', 'test/api/views.full.test.ts', 'test/api/keys.test.ts'],
  },
  {
    kind: 'rendering',
    name: 'web addresses only in the links of a comment',
    file: 'packages/app/src/lib/comment-text.ts',
    text: 'const ADDRESS = /https?:',
    replacement: 'const ADDRESS = /[a-z]+:',
    tests: ['packages/app/test/record-parts.test.ts'],
  },
  {
    kind: 'rendering',
    name: 'formulas in a CSV file',
    file: 'packages/tables/src/csv-text.ts',
    text: 'return FORMULA.test(text) ?',
    replacement: "return text === ' ' ?",
    tests: ['test/export/round-trip.full.test.ts', 'test/api/exports.test.ts'],
  },
  {
    kind: 'rendering',
    name: 'HTML in a mail',
    file: 'src/mail/mail-text.ts',
    text: "return text.replace(/[&<>\"']/g, (character) => ENTITIES[character] ?? '');",
    replacement: 'return text;',
    tests: ['test/mail/compose-mail.test.ts'],
  },
  {
    kind: 'rendering',
    name: 'sandbox of a file of a record',
    file: 'src/api/jobs/downloads.ts',
    text: '"sandbox; default-src \'none\'"',
    replacement: '"default-src *"',
    tests: ['test/api/record-files.test.ts'],
  },
];
