import type { FieldEdit } from '../field-edit.ts';
import { long_text } from '../long_text/edit.tsx';

export const json: FieldEdit<string> = {
  ...long_text,
  start: (value) => (value === null ? '' : JSON.stringify(value, null, 2)),
  parse(draft) {
    if (draft.trim() === '') return { value: null };
    try {
      return { value: JSON.parse(draft) };
    } catch {
      return { problem: 'edit.notJson' };
    }
  },
};
