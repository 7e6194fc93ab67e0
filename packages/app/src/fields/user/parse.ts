import { folded } from '../../lib/folded.ts';
import type { FieldText } from '../field-text.ts';

/** The text of a person: the name, e-mail address or number. */
export const user: FieldText = {
  needs: 'people',
  print: (value, { field, nameOf }) => nameOf(value, field) ?? `#${value}`,
  parse(typed, { named }) {
    const found = named.get(folded(typed).replace(/^#/, ''));
    if (found === 'ambiguous') return { problem: 'grid.ambiguous' };
    return found === undefined ? { problem: 'grid.noPerson' } : { value: Number(found) };
  },
};
