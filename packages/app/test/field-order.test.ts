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

test("the name comes first, then the status and the object's own fields, and last those of every record", () => {
  expect(offeredFields({ fields, display_field: 'title' }).map(({ key }) => key)).toEqual([
    ...['title', 'status', 'size', 'due_on'],
    ...['owner_user_id', 'created_at', 'updated_at', 'id'],
  ]);
});
