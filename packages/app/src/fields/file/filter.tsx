import type { FieldFilter } from '../field-filter.ts';
import { PRESENCE } from '../phrases.ts';
import { TextWord } from '../text/filter.tsx';

export const file: FieldFilter = { phrases: PRESENCE, Word: TextWord };
