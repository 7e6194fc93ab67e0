// The icon of a field type.

import { entryKind } from '../../fields/entry-kind.ts';
import type { EntryType } from '../../lib/definition/document.ts';
import { Strokes } from '../../ui/icon.tsx';

interface FieldIconProps {
  readonly type: EntryType;
  readonly size?: number;
}

export function FieldIcon({ type, size }: FieldIconProps) {
  return <Strokes path={entryKind({ type }).icon} size={size} />;
}
