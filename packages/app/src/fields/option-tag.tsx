// An option of a field as a tag, also where it is a status.

import type { Field } from '@workspace-records/client';
import { Tag } from '../ui/tag.tsx';
import { isStatusField, labelOf, tintOfOption } from './options.ts';

interface OptionTagProps {
  readonly field: Field;
  readonly value: unknown;
}

export function OptionTag({ field, value }: OptionTagProps) {
  return (
    <Tag tint={tintOfOption(field, value)} isStatus={isStatusField(field)}>
      {labelOf(field, value)}
    </Tag>
  );
}
