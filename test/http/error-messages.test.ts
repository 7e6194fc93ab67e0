// Messages of errors: their ids and values in the envelope, and the catalogue.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiError, ERROR_CATALOGUE, errorFromProblems, placedError } from '../../src/errors.ts';
import { envelopeOf } from '../../src/http/answer/answer.ts';
import { MESSAGES } from '../../src/messages/catalogue.ts';
import { about, say } from '../../src/messages/message.ts';

const answered = (error: unknown) => envelopeOf(error as ApiError, 'req_1').error;

test('each problem has the id of its message and the values in it, the error those of the first', () => {
  const problems = [
    {
      param: 'fields.amount',
      code: 'invalid_write',
      message: about('The value', say('must_be_at_most', { most: 7 })),
    },
    { param: 'fields.name', code: 'invalid_write', message: say('field_required') },
  ] as const;
  const most = { message_id: 'must_be_at_most', params: { most: 7 } };
  const message = 'The value must be at most 7.';
  expect(answered(placedError(errorFromProblems(problems), 'queries[1]'))).toEqual({
    type: 'invalid_request_error',
    code: 'invalid_write',
    message,
    param: 'queries[1].fields.amount',
    details: {
      errors: [
        { param: 'queries[1].fields.amount', code: 'invalid_write', message, ...most },
        {
          param: 'queries[1].fields.name',
          code: 'invalid_write',
          message: 'The field is required.',
          message_id: 'field_required',
        },
      ],
      ...most,
    },
    request_id: 'req_1',
  });
});

test('an error with the message of its code has no details', () => {
  expect(answered(new ApiError('invalid_api_key'))).not.toHaveProperty('details');
});

test('a message in a message has an id too', () => {
  const message = say('type_fixed');
  const error = new ApiError('invalid_write', {
    message: say('move_refused', { reason: message }),
    details: { refusal: { code: 'invalid_write', message } },
  });
  const reason = { message: 'The type cannot change.', message_id: 'type_fixed' };
  expect(answered(error)).toMatchObject({
    message: 'The move is not possible for the person who asked: The type cannot change.',
    details: {
      message_id: 'move_refused',
      params: { reason },
      refusal: { code: 'invalid_write', ...reason },
    },
  });
});

test('values are cut as the message is', () => {
  const message = say('field_not_found', { field: 'x'.repeat(5000) });
  const { details } = answered(errorFromProblems([{ code: 'invalid_filter', message }]));
  expect(JSON.stringify(details).length).toBeLessThan(10_000);
});

test('each id of the catalogue is used, and none is a code', () => {
  const source = join(import.meta.dirname, '..', '..', 'src');
  const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('-messages.ts'))
    .map((name) => readFileSync(join(source, name), 'utf8'))
    .join('\n');
  const ids = Object.keys(MESSAGES);
  expect(ids.filter((id) => !texts.includes(`'${id}'`))).toEqual([]);
  expect(ids.filter((id) => Object.hasOwn(ERROR_CATALOGUE, id))).toEqual([]);
});
