import type { FieldFilter } from '../field-filter.ts';
import { LIST_PHRASES } from '../phrases.ts';
import { ChooseOption, OptionWord } from '../select/filter.tsx';

export const multi_select: FieldFilter = {
  phrases: LIST_PHRASES,
  Choose: ChooseOption,
  Word: OptionWord,
};
