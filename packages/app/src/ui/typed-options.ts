// The options of a list that match the typed text.

import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core';
import { folded } from '../../../tables/src/folded.ts';

/** The options whose label contains the text, without regard to case and accents; empty groups are left out. */
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
