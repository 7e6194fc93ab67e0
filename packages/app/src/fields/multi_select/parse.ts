import type { FieldText } from '../field-text.ts';
import { labelOf } from '../options.ts';
import { optionNamed } from '../select/parse.ts';

/** Between commas or semicolons. */
export const multi_select: FieldText = {
  print: (value, { field }) =>
    (Array.isArray(value) ? value : [value]).map((one) => labelOf(field, one)).join(', '),
  parse(typed, { field }) {
    const whole = optionNamed(field, typed);
    if ('value' in whole) return { value: [whole.value] };
    const words = typed.split(/[,;]/).filter((word) => word.trim() !== '');
    const options = words.map((word) => optionNamed(field, word));
    const wrong = options.find((option) => 'problem' in option);
    return (
      wrong ?? { value: [...new Set(options.flatMap((one) => ('value' in one ? one.value : [])))] }
    );
  },
};
