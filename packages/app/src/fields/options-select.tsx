// One of a few values: a list that is searched by typing. In a cell the browser's own control would save at the first key.

import { Select } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import { folded } from '../../../tables/src/folded.ts';
import { useT } from '../lib/messages/index.ts';
import { clearOnBackspace } from './clear-key.ts';
import type { EditProps } from './field-edit.ts';
import { OptionTag } from './option-tag.tsx';
import type { Option } from './options.ts';

interface OptionsSelectProps extends EditProps<string> {
  readonly options: readonly Option[];
  /** Called with the typed text, where the options depend on it. */
  readonly onSearch?: (text: string) => void;
}

export function OptionsSelect(props: OptionsSelectProps) {
  const { draft, field, options, id, isInvalid, describedBy, onChange } = props;
  const t = useT();
  return (
    <Select
      id={id}
      aria-label={field.name ?? field.key}
      data={options}
      value={draft === '' ? null : draft}
      searchable
      {...(props.onSearch === undefined ? {} : { onSearchChange: props.onSearch })}
      clearable
      allowDeselect={false}
      onKeyDown={(event) => {
        clearOnBackspace(onChange)(event);
        const named = event.key === 'Enter' ? firstWith(options, event.currentTarget) : undefined;
        if (named !== undefined) onChange(named);
      }}
      selectFirstOptionOnChange
      renderOption={({ option }) =>
        field.options === undefined ? (
          option.label
        ) : (
          <OptionTag field={field} value={option.value} />
        )
      }
      clearButtonProps={{ 'aria-label': t('edit.clear') }}
      onChange={(chosen) => onChange(chosen ?? '')}
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
