import type { FieldText } from '../field-text.ts';

export const phone: FieldText = {
  print: String,
  parse: (typed) => ({ value: typed.trim() }),
};
