// The parts that days and moments share.

import { useT } from '../lib/messages/index.ts';
import { relativeOf, relativeText } from '../lib/periods.ts';
import type { WordProps } from './field-filter.ts';
import type { FieldKind } from './field-kind.ts';
import { TIME_PHRASES } from './phrases.ts';

type Given = Omit<FieldKind, 'phrases' | 'Word'>;

export function ofTime(given: Given): FieldKind {
  const { Show } = given;
  function Word({ value, field }: WordProps) {
    const t = useT();
    const relative = relativeOf(value);
    return relative === undefined ? (
      <Show value={value} field={field} />
    ) : (
      relativeText(relative, t)
    );
  }
  return { phrases: TIME_PHRASES, Word, ...given };
}
