// Initials before the names of records: where the icon of the object is a person or a building.

import { expect, test } from 'vitest';
import { hasInitials } from '../src/ui/record-mark.tsx';

test.each([
  [{ object_type: 'contacts', kind: 'built_in' }, true],
  [{ object_type: 'deals', kind: 'built_in' }, false],
  [{ object_type: 'contacts', kind: 'built_in', icon: 'leaf' }, false],
  [{ object_type: 'patients', kind: 'default', icon: 'person' }, true],
  [{ object_type: 'branches', kind: 'default', icon: 'building' }, true],
  [{ object_type: 'contacts', kind: 'default' }, false],
] as const)('%j: %s', (object, isMarked) => {
  expect(hasInitials({ name: 'Name', ...object })).toBe(isMarked);
});
