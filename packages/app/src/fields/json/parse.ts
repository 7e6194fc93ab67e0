import type { Parsed } from '../field-edit.ts';
import type { FieldText } from '../field-text.ts';

export function parseJson(typed: string): Parsed {
  try {
    return { value: JSON.parse(typed) };
  } catch {
    return { problem: 'edit.notJson' };
  }
}

export const json: FieldText = {
  print: (value) => JSON.stringify(value),
  parse: parseJson,
};
