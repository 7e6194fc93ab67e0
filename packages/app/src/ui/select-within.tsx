// A choice that is found by typing, within a small dialog.

import { Select, type SelectProps } from '@mantine/core';
import { useT } from '../lib/messages/index.ts';
import classes from './select-within.module.css';

/** The z-index above that of a sheet, which stays in view. */
const ABOVE_HEADER = 1001;

export function SelectWithin(props: SelectProps) {
  const t = useT();
  return (
    <Select
      role="combobox"
      searchable
      selectFirstOptionOnChange
      // The list itself scrolls: what scrolls around it would have to be reached by keys.
      withScrollArea={false}
      classNames={{ options: classes.options }}
      // Within the dialog, or a click on it would be one outside; fixed, or the dialog would clip it.
      comboboxProps={{ withinPortal: false, floatingStrategy: 'fixed', zIndex: ABOVE_HEADER }}
      nothingFoundMessage={t('palette.nothing')}
      {...props}
    />
  );
}
