import type { FieldText } from '../field-text.ts';
import { labelOf } from '../options.ts';
import { optionNamed } from '../select/parse.ts';

/** Between commas or semicolons. */
export const multi_select: FieldText = {
  print: (value, { field }) =>
    (Array.isArray(value) ? value : [value]).map((one) => labelOf(field, one)).join(', '),
  parse(typed, { field }) {
    const whole = optionNamed(field, typed);
    if (whole !== undefined) return { value: [whole] };
    const words = typed.split(/[,;]/).filter((word) => word.trim() !== '');
    const values = words.map((word) => optionNamed(field, word));
    if (values.includes(undefined)) return { problem: 'grid.notOption' };
    return { value: [...new Set(values)] };
  },
};
