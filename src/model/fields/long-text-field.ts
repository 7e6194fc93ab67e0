// `long_text`: a text of many lines, too long for an index.

import { LIMITS } from '../../limits.ts';
import { FROM_LONG_TEXT } from './conversions.ts';
import { defineTextType } from './text-values.ts';

export const longTextField = defineTextType({
  name: 'long_text',
  defaultMaxLength: LIMITS.longTextLength,
  becomes: FROM_LONG_TEXT,
  indexable: false,
  search: { kind: 'text', byDefault: false },
  joinsItems: true,
});
