// The meaning of events for pages that are open: which records, lists and rights are read again.

import type { LiveEvent } from '@workspace-records/client';
import { expect, test } from 'vitest';
import { gather, isEmpty, openGathered } from '../src/live/gathered.ts';

const ORIGIN = {
  user: { id: 1 },
  source: 'api',
  batch_id: null,
  occurred_at: '2026-11-25T00:00:00.000Z',
} as const;

const RIGHTS = { id: 'x', occurred_at: ORIGIN.occurred_at };

function ofRecord(type: 'record.updated' | 'record.status_changed' | 'record.entered') {
  const own = { id: type, object_type: 'deals', record_id: 'a', revision: 2, version: '2-x' };
  return { event: type, data: { type, ...own, changed_fields: ['name'], ...ORIGIN } };
}

test('changes of a record are read once, and one that entered may be in any list', () => {
  const gathered = openGathered();
  gather(gathered, ofRecord('record.updated'));
  gather(gathered, ofRecord('record.status_changed'));
  const change = () => gathered.types.get('deals')?.changed.get('a');
  expect(change()).toEqual({ version: '2-x', fields: new Set(['name']), isNew: false });
  gather(gathered, ofRecord('record.entered'));
  expect(change()?.isNew).toBe(true);
  expect(gathered.areRightsOld).toBe(false);
});

test('other rights are read again, and the lists of the objects that they are about are old', () => {
  const gathered = openGathered();
  gather(gathered, {
    event: 'reach.changed',
    data: { type: 'reach.changed', object_types: ['deals'], ...RIGHTS },
  });
  expect(gathered).toMatchObject({ areRightsOld: true, areListsOld: false });
  expect([...gathered.oldTypes]).toEqual(['deals']);
});

test('rights without an object, and another definition, leave lists as they are', () => {
  const events: readonly LiveEvent[] = [
    { event: 'reach.changed', data: { type: 'reach.changed', object_types: [], ...RIGHTS } },
    {
      event: 'definition.changed',
      data: { type: 'definition.changed', revision: 2, renamed: [], removed: [], ...RIGHTS },
    },
  ];
  for (const event of events) {
    const gathered = openGathered();
    gather(gathered, event);
    expect(gathered.areRightsOld && gathered.oldTypes.size === 0).toBe(true);
    expect(isEmpty(gathered)).toBe(false);
  }
});
