import type { FieldText } from '../field-text.ts';

export const email: FieldText = {
  print: String,
  parse: (typed) => ({ value: typed.trim() }),
};
