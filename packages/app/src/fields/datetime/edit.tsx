import { localTimeOf, momentOf } from '../../lib/local-time.ts';
import { dateInput } from '../date/edit.tsx';
import type { FieldEdit } from '../field-edit.ts';

/** In the time of the place where the browser is. */
export const datetime: FieldEdit<string> = {
  Edit: dateInput('datetime-local'),
  start: (value) => (value === null ? '' : localTimeOf(String(value))),
  parse: (draft) => ({ value: momentOf(draft) ?? null }),
};
