// The mark before the name of a record: the initials of a contact in a circle, those of a company on a tile, and for
// others the icon of their object.

import type { ObjectSummary } from '@workspace-records/client';
import { Avatar } from './avatar.tsx';
import { Icon } from './icon.tsx';
import { iconOf } from './object-icon.ts';

type Marked = Pick<ObjectSummary, 'object_type' | 'kind' | 'name'>;

const SHAPES: Readonly<Record<string, 'circle' | 'tile'>> = {
  contacts: 'circle',
  companies: 'tile',
};

/** True when initials say which record it is. */
export function hasInitials({ object_type, kind }: Pick<Marked, 'object_type' | 'kind'>): boolean {
  return kind === 'built_in' && object_type in SHAPES;
}

interface RecordMarkProps {
  readonly object: Marked;
  readonly name: string;
}

export function RecordMark({ object, name }: RecordMarkProps) {
  if (!hasInitials(object)) return <Icon name={iconOf(object)} size={14} />;
  return <Avatar name={name} size="small" shape={SHAPES[object.object_type]} />;
}
