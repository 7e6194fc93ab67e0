// `text`: a short text.

import { LIMITS } from '../../limits.ts';
import { FROM_TEXT } from './conversions.ts';
import { defineTextType } from './text-values.ts';

export const textField = defineTextType({
  name: 'text',
  defaultMaxLength: LIMITS.textLength,
  becomes: FROM_TEXT,
  formula: { kind: 'text', isResult: true },
  search: { kind: 'text', byDefault: false, subtitleRank: 2 },
  joinsItems: true,
});
