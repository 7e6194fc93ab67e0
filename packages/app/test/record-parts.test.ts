// The parts of a record, without a browser: the parts of a comment, a typed name, the rules of the definition, the
// fields of a refusal.

import type { Access, Field, ObjectDefinition } from '@workspace-records/client';
import { expect, test } from 'vitest';
import { recordsError } from '../../client/src/errors.ts';
import { parseForm } from '../src/editing/form-values.ts';
import type { AnyFieldEdit } from '../src/fields/field-edit.ts';
import { commentParts, mentionAt } from '../src/lib/comment-text.ts';
import { creationFields } from '../src/lib/creation-fields.ts';
import { fieldProblemsOf } from '../src/lib/field-problems.ts';
import { ruleProblem } from '../src/lib/field-rules.ts';
import { en } from '../src/lib/messages/en/index.ts';
import type { Translate } from '../src/lib/messages/index.ts';

const t = ((key: keyof typeof en, values: Readonly<Record<string, unknown>> = {}) =>
  String(en[key]).replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name]))) as Translate;

const plain: AnyFieldEdit = {
  Edit: () => null,
  start: (value) => (value === null ? '' : String(value)),
  parse: (draft: string) => ({ value: draft === '' ? null : draft }),
};
const numeric: AnyFieldEdit = {
  ...plain,
  parse: (draft: string) =>
    Number.isNaN(Number(draft))
      ? { problem: 'edit.notNumber' }
      : { value: draft === '' ? null : Number(draft) },
};

function field(key: string, more: Partial<Field> = {}): Field {
  const plain = { name: key, type: 'text', required: false, editable: true } as const;
  return { key, storage: 'physical', storage_key: key, ...plain, ...more };
}

test.each([
  ['nothing', 'nothing', ''],
  ['see https://acme.example/a?b=1.', 'see |[https://acme.example/a?b=1]|.', ''],
  ['(http://acme.example)', '(|[http://acme.example]|)', ''],
  [
    'javascript:alert(1) data:text/html,x ftp://a',
    'javascript:alert(1) data:text/html,x ftp://a',
    '',
  ],
  ['Hi @Ann Lee and @Ann, @Anna', 'Hi |<@Ann Lee>| and |<@Ann>|, @Anna', 'Ann,Ann Lee'],
  ['@Ann.(x) https://a.example/@Ann', '<@Ann>|.(x) |[https://a.example/@Ann]', 'Ann'],
  ['a@Ann', 'a|<@Ann>', 'Ann'],
  ['<b>bold</b>', '<b>bold</b>', 'Ann'],
])('a comment %j', (body, wanted, names) => {
  const shown = commentParts(body, names.split(',')).map(({ kind, text }) => {
    return kind === 'text' ? text : kind === 'link' ? `[${text}]` : `<${text}>`;
  });
  expect(shown.join('|')).toBe(wanted);
  expect(
    commentParts(body, names.split(','))
      .map(({ text }) => text)
      .join(''),
  ).toBe(body);
});

test.each([
  ['@', 1, 0, ''],
  ['Hello @da', 9, 6, 'da'],
  ['Hello @Darcel Sch', 17, 6, 'Darcel Sch'],
  ['@one and @tw', 12, 9, 'tw'],
  ['(@x', 3, 1, 'x'],
])('in %j a name is being typed', (text, caret, start, query) => {
  expect(mentionAt(text, caret)).toEqual({ start, query });
});

test.each([
  ['', 0],
  ['none', 4],
  ['a@b', 3],
  ['@ b', 3],
  ['@Ann wrote a lot', 16],
  ['@Ann\nnext', 9],
  ['@Ann', 0],
])('in %j at %d there is none', (text, caret) => {
  expect(mentionAt(text, caret)).toBeUndefined();
});

test.each([
  [{ required: true }, null, 'This field is required.'],
  [{}, null, undefined],
  [{ constraints: { minLength: 3 } }, '😀😀', 'At least 3 characters.'],
  [{ constraints: { maxLength: 2 } }, '😀😀', undefined],
  [{ constraints: { maxLength: 2 } }, 'abc', 'At most 2 characters.'],
  [{ constraints: { minimum: 0 } }, -1, 'At least 0.'],
  [{ constraints: { maximum: 10 } }, 10, undefined],
  [{ constraints: { maximum: 10 } }, 10.5, 'At most 10.'],
  [{ constraints: { maximum: 10 } }, [11], undefined],
])('certain problems of %j about %j', (more, value, problem) => {
  expect(ruleProblem(field('x', more), value, t)).toBe(problem);
});

test('a refusal is about its fields, wherever they are kept', () => {
  const errors = [
    { param: 'fields.amount', code: 'invalid_write', message: 'A' },
    { param: 'fields.custom_fields.note', code: 'invalid_write', message: 'B' },
    { param: 'target_id', code: 'invalid_write', message: 'C' },
  ];
  const refusal = recordsError({ code: 'invalid_write', message: 'A', details: { errors } });
  expect([...fieldProblemsOf(refusal)]).toEqual([
    ['amount', { message: 'A', taken: undefined }],
    ['note', { message: 'B', taken: undefined }],
  ]);
  const details = { existing_record_id: '7' };
  const taken = recordsError({ code: 'conflict', message: 'D', param: 'fields.code', details });
  expect(fieldProblemsOf(taken).get('code')).toEqual({ message: 'D', taken: '7' });
  expect(fieldProblemsOf(new Error('other')).size).toBe(0);
});

test('a form sends filled fields, and null only in place of a default', () => {
  const fields = [
    field('name', { required: true }),
    field('amount', { type: 'number' }),
    field('size', { constraints: { default: 'M' } }),
    field('note', { storage: 'jsonb' }),
    field('mark', { storage: 'jsonb' }),
  ];
  const editOf = ({ type }: Field) => (type === 'number' ? numeric : plain);
  const words = { t, language: 'en', editOf } as const;
  expect(parseForm(fields, { drafts: { amount: 'x' }, preset: {} }, words).problems).toEqual(
    new Map([
      ['name', 'This field is required.'],
      ['amount', 'Enter a number such as 1,234.5.'],
    ]),
  );
  const drafts = { name: 'N', size: '', note: 'a', mark: 'b' };
  const { fields: sent, problems } = parseForm(fields, { drafts, preset: {} }, words);
  expect(problems.size).toBe(0);
  expect(sent).toEqual({ name: 'N', size: null, custom_fields: { note: 'a', mark: 'b' } });
  expect(parseForm(fields, { drafts: { name: 'N' }, preset: { amount: 3 } }, words).fields).toEqual(
    {
      ...{ name: 'N', amount: 3, size: 'M' },
    },
  );
});

test('a new record has the fields that the person may write, required ones first', () => {
  const fields = [
    field('status', { editable: false }),
    field('owner_user_id', { type: 'user' }),
    field('code', { editable: false }),
    field('note'),
    field('name', { required: true }),
  ];
  const object = (update: boolean) =>
    ({ object_type: 'boats', fields, capabilities: { update } }) as unknown as ObjectDefinition;
  const access = (isAssigner: boolean) =>
    ({
      assign_owner: { allowed: isAssigner },
      objects: [{ object_type: 'boats', fields: [{ key: 'code', access: 'write' }] }],
    }) as unknown as Access;
  const keys = (...[update, isAssigner]: readonly [boolean, boolean]) =>
    creationFields(object(update), access(isAssigner)).map(({ key }) => key);
  expect(keys(true, true)).toEqual(['name', 'note', 'owner_user_id']);
  expect(keys(true, false)).toEqual(['name', 'note']);
  expect(keys(false, true)).toEqual(['code']);
});
