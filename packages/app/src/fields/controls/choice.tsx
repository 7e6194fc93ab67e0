// One of a few values: the options of the field, or those of its type.

import { NativeSelect } from '@mantine/core';
import type { Field } from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import { Choices } from '../choices.tsx';
import type { EditProps } from '../field-edit.ts';
import type { ChooseProps } from '../field-filter.ts';
import { kindOf } from '../kinds.ts';
import { OptionTag } from '../option-tag.tsx';
import { optionsOf } from '../options.ts';
import { OptionsSelect } from '../options-select.tsx';

function useChoices(field: Field) {
  const t = useT();
  const { choices } = kindOf(field).edit;
  return choices?.map(({ value, label }) => ({ value, label: t(label) })) ?? optionsOf(field);
}

function useOptions(field: Field) {
  return useChoices(field).map(({ value, label }) => ({ value: String(value), label }));
}

export function ChoiceEdit({ draft, field, ...props }: EditProps<string>) {
  const { id, isInvalid, describedBy, onChange } = props;
  return (
    <NativeSelect
      id={id}
      size="sm"
      data={[{ value: '', label: '–' }, ...useOptions(field)]}
      value={draft}
      error={isInvalid}
      aria-describedby={describedBy}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

export function ChoiceCell(props: EditProps<string>) {
  return <OptionsSelect {...props} options={useOptions(props.field)} />;
}

export function ChooseOption(props: ChooseProps) {
  const { field } = props;
  const isTagged = kindOf(field).edit.choices === undefined;
  const offered = useChoices(field).map((choice) => ({
    ...choice,
    content: isTagged ? <OptionTag field={field} value={choice.value} /> : undefined,
  }));
  return <Choices {...props} offered={offered} />;
}
