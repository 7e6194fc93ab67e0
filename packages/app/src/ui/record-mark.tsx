// The mark before the name of a record: initials in a circle where the icon of the object is a person, and on a tile
// where it is a building, as those of contacts and companies are; for others the icon.

import type { ObjectSummary } from '@workspace-records/client';
import { Avatar } from './avatar.tsx';
import { type Glyph, Icon } from './icon.tsx';
import { iconOf } from './object-icon.ts';

type Marked = Pick<ObjectSummary, 'object_type' | 'kind' | 'name' | 'icon'>;

const SHAPES: ReadonlyMap<Glyph, 'circle' | 'tile'> = new Map([
  ['person', 'circle'],
  ['building', 'tile'],
]);

/** True when initials say which record it is. */
export function hasInitials(object: Marked): boolean {
  return SHAPES.has(iconOf(object));
}

interface RecordMarkProps {
  readonly object: Marked;
  readonly name: string;
}

export function RecordMark({ object, name }: RecordMarkProps) {
  const icon = iconOf(object);
  const shape = SHAPES.get(icon);
  if (shape === undefined) return <Icon name={icon} size={14} />;
  return <Avatar name={name} size="small" shape={shape} />;
}
