// One of a few: the browser's own control, which is known to every person and every device.

import { NativeSelect } from '@mantine/core';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  /** Words by value. */
  readonly options: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, options, value, onChange } = props;
  const data = (Object.keys(options) as Value[]).map((one) => ({
    value: one,
    label: options[one],
  }));
  return (
    <NativeSelect
      size="sm"
      label={label}
      data={data}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}
    />
  );
}
