import type { FieldText } from '../field-text.ts';
import { filesIn } from './file-values.ts';

/** The names, for reading: a file comes with an upload and not with a text. */
export const file: FieldText = {
  print: (value) =>
    filesIn(value)
      .map(({ name }) => name)
      .join('; '),
  parse: () => ({ problem: 'file.noText' }),
};
