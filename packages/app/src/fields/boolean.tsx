import { folded } from '../../../tables/src/folded.ts';
import { translate, useT } from '../lib/messages/index.ts';
import type { WordProps } from './field-filter.ts';
import type { FieldKind } from './field-kind.ts';
import { CHOICE_PHRASES } from './phrases.ts';

/** The words of spreadsheets and programs for a truth value, in each of our languages. */
const YES: ReadonlySet<string> = new Set(['true', 'yes', 'ja', 'wahr', '1', 'x']);
const NO: ReadonlySet<string> = new Set(['false', 'no', 'nein', 'falsch', '0']);

function Word({ value }: WordProps) {
  const t = useT();
  return value === true ? t('field.yes') : t('field.no');
}

export const boolean: FieldKind = {
  name: 'type.boolean',
  example: 'type.booleanExample',
  icon: 'M3 3h10v10H3zm2.300 5.200 2 2 3.500-4',
  Show: Word,
  width: 90,
  text: {
    print: (value) => translate()(value === true ? 'field.yes' : 'field.no'),
    parse(typed) {
      const word = folded(typed);
      if (YES.has(word)) return { value: true };
      return NO.has(word) ? { value: false } : { problem: 'grid.notYesNo' };
    },
  },
  // Of two values, one is chosen first of all.
  phrases: ['eq', 'ne', 'empty', 'filled', 'in', 'not_in'].flatMap((id) =>
    CHOICE_PHRASES.filter((phrase) => phrase.id === id),
  ),
  Word,
  edit: {
    control: 'choice',
    isChoice: true,
    choices: [
      { value: true, label: 'field.yes' },
      { value: false, label: 'field.no' },
    ],
    start: (value) => (value === null ? '' : String(value === true)),
    parse: (draft) => ({ value: draft === '' ? null : draft === 'true' }),
  },
};
