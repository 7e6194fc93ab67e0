// A refusal of a value that is none of a few names all of them.

import type Type from 'typebox';
import { expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import { batchRecords } from '../../src/api/write/batch-routes.ts';
import { compileShape } from '../../src/http/request/validate.ts';

interface Choice {
  readonly name: string;
  readonly query: Type.TSchema;
  readonly values: readonly string[];
}

const choices = ROUTES.flatMap(({ query, operationId }) => {
  const { properties = {} } = query as {
    readonly properties?: Record<string, { enum?: string[] }>;
  };
  return Object.entries(properties).flatMap(([name, schema]): (readonly [string, Choice])[] =>
    schema.enum === undefined
      ? []
      : [[`${operationId} ${name}`, { name, query, values: schema.enum }]],
  );
});

test.each(choices)('%s', (_, { name, query, values }) => {
  const check = compileShape(query, { subject: 'The query string' });
  const [problem] = check({ [name]: 'x' });
  expect(problem?.message.text).toBe(`The value must be one of ${values.join(', ')}.`);
  const [capital] = check({ [name]: 'True' });
  const hint = values.includes('true') ? ', in lower case' : '';
  expect(capital?.message.text).toBe(`The value must be one of ${values.join(', ')}${hint}.`);
});

test('there are some in query strings', () => {
  expect(choices.map(([label]) => label)).toContain('listUsers include_inactive');
});

test('actions of a batch, which choose between shapes', () => {
  const check = compileShape(batchRecords.body as Type.TSchema, { subject: 'The body' });
  const [problem] = check({ operations: [{ action: 'destroy' }] });
  const names = 'create, update, status, delete, upsert, link, unlink';
  expect(problem?.message.text).toBe(`The value must be one of ${names}.`);
});
