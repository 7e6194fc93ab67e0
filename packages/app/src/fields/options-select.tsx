// One of the options of a field, in a cell: a list that is searched by typing. The browser's own control would save at the
// first key.

import { Select } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import { folded } from '../lib/folded.ts';
import { useT } from '../lib/messages/index.ts';
import { clearOnBackspace } from './clear-key.ts';
import type { EditProps } from './field-edit.ts';
import { OptionTag } from './option-tag.tsx';
import type { Option } from './options.ts';

interface OptionsSelectProps<Draft extends string> extends EditProps<Draft> {
  readonly options: readonly Option[];
}

export function OptionsSelect<Draft extends string>(props: OptionsSelectProps<Draft>) {
  const { draft, field, options, id, isInvalid, describedBy, onChange } = props;
  const t = useT();
  return (
    <Select
      id={id}
      aria-label={field.name ?? field.key}
      data={options}
      value={draft === '' ? null : draft}
      searchable
      clearable
      allowDeselect={false}
      onKeyDown={(event) => {
        clearOnBackspace((emptied) => onChange(emptied as Draft))(event);
        const named = event.key === 'Enter' ? firstWith(options, event.currentTarget) : undefined;
        if (named !== undefined) onChange(named as Draft);
      }}
      selectFirstOptionOnChange
      renderOption={({ option }) =>
        field.type === 'select' ? <OptionTag field={field} value={option.value} /> : option.label
      }
      clearButtonProps={{ 'aria-label': t('edit.clear') }}
      onChange={(chosen) => onChange((chosen ?? '') as Draft)}
      nothingFoundMessage={t('palette.nothing')}
      error={isInvalid}
      aria-describedby={describedBy}
    />
  );
}

/**
 * The typed text chooses, also before the list has come; undefined where an option was chosen in the list by arrow
 * keys.
 */
export function firstWith(options: readonly Option[], input: HTMLInputElement): string | undefined {
  const typed = folded(input.value);
  if (typed === '' || input.hasAttribute('aria-activedescendant')) return undefined;
  return options.find(({ label }) => folded(label).includes(typed))?.value;
}
