// The options of a list that match the typed text.

import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core';
import { folded } from '../lib/folded.ts';

/** Those whose label has the text, in whatever case and form of its letters; groups that have none are left out. */
export const typedOptions: OptionsFilter = ({ options, search, limit }) => {
  const wanted = folded(search);
  const isMeant = ({ label }: ComboboxItem) => folded(label).includes(wanted);
  const left = options.flatMap((item): ComboboxParsedItem[] => {
    if (!('group' in item)) return isMeant(item) ? [item] : [];
    const items = item.items.filter(isMeant);
    return items.length === 0 ? [] : [{ ...item, items }];
  });
  return left.slice(0, limit);
};
