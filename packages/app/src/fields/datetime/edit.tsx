import { dateInput } from '../date/edit.tsx';
import type { FieldEdit } from '../field-edit.ts';

/** In the time of the place where the browser is. */
export const datetime: FieldEdit<string> = {
  Edit: dateInput('datetime-local'),
  start(value) {
    if (value === null) return '';
    const date = new Date(String(value));
    const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
    return local.toISOString().slice(0, 16);
  },
  parse: (draft) => ({ value: draft === '' ? null : new Date(draft).toISOString() }),
};
