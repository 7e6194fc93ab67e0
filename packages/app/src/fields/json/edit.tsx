import type { FieldEdit } from '../field-edit.ts';
import { long_text } from '../long_text/edit.tsx';
import { parseJson } from './parse.ts';

export const json: FieldEdit<string> = {
  ...long_text,
  start: (value) => (value === null ? '' : JSON.stringify(value, null, 2)),
  parse: (draft) => (draft.trim() === '' ? { value: null } : parseJson(draft)),
};
