import { folded } from '../../lib/folded.ts';
import { translate } from '../../lib/messages/index.ts';
import type { FieldText } from '../field-text.ts';

/** The words for true in spreadsheets and programs, in each language of the application. */
const YES: ReadonlySet<string> = new Set(['true', 'yes', 'ja', 'wahr', '1', 'x']);
const NO: ReadonlySet<string> = new Set(['false', 'no', 'nein', 'falsch', '0']);

export const boolean: FieldText = {
  print: (value) => translate()(value === true ? 'field.yes' : 'field.no'),
  parse(typed) {
    const word = folded(typed);
    if (YES.has(word)) return { value: true };
    return NO.has(word) ? { value: false } : { problem: 'grid.notYesNo' };
  },
};
