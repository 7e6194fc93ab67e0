// The icon of a field type.

import type { FieldType } from '@workspace-records/client';
import { kindOf } from '../../fields/kinds.ts';
import { Strokes } from '../../ui/icon.tsx';

interface FieldIconProps {
  readonly type: FieldType;
  readonly size?: number;
}

export function FieldIcon({ type, size }: FieldIconProps) {
  return <Strokes path={kindOf({ type }).icon} size={size} />;
}
