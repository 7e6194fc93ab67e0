// The order in which fields are offered.

import { expect, test } from 'vitest';
import { offeredFields } from '../src/lib/field-order.ts';

const keys = [
  'id',
  'status',
  'owner_user_id',
  'created_at',
  'updated_at',
  'size',
  'title',
  'due_on',
];
const fields = keys.map((key) => ({ key, type: 'text', storage: 'physical' }) as never);

test('the name comes first, then the status and what the object is about, and last what every record has', () => {
  expect(offeredFields({ fields, display_field: 'title' }).map(({ key }) => key)).toEqual([
    ...['title', 'status', 'size', 'due_on'],
    ...['owner_user_id', 'created_at', 'updated_at', 'id'],
  ]);
});
