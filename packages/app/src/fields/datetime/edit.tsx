import { localTimeOf, momentOf } from '../../lib/local-time.ts';
import { dateInput } from '../date/edit.tsx';
import type { FieldEdit } from '../field-edit.ts';

/** The input of a moment, in the time zone of the browser. */
export const datetime: FieldEdit<string> = {
  Edit: dateInput('datetime-local'),
  start: (value) => (value === null ? '' : localTimeOf(String(value))),
  parse: (draft) => ({ value: momentOf(draft) ?? null }),
};
