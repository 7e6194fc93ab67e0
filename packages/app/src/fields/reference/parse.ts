import { folded } from '../../lib/folded.ts';
import type { FieldText } from '../field-text.ts';

/** The text of a reference: the name or the id of a record. */
export const reference: FieldText = {
  needs: 'records',
  print: (value, { field, nameOf }) => nameOf(value, field) ?? String(value),
  parse(typed, { named }) {
    const found = named.get(folded(typed));
    if (found === 'ambiguous') return { problem: 'grid.ambiguous' };
    return found === undefined ? { problem: 'grid.noRecord' } : { value: String(found) };
  },
};
