import type { FieldText } from '../field-text.ts';

export const text: FieldText = {
  print: String,
  parse: (typed) => ({ value: typed }),
};
