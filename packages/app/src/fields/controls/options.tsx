// Several of the options of a field.

import type { EditProps } from '../field-edit.ts';
import classes from '../fields.module.css';
import { OptionTag } from '../option-tag.tsx';
import { optionsOf } from '../options.ts';

type Draft = readonly string[];

export function OptionsEdit({ draft, field, id, describedBy, onChange }: EditProps<Draft>) {
  return (
    <fieldset
      className={classes.choices}
      aria-label={field.name ?? field.key}
      aria-describedby={describedBy}
    >
      {optionsOf(field).map(({ value }, index) => (
        <label key={value}>
          <input
            type="checkbox"
            id={index === 0 ? id : undefined}
            checked={draft.includes(value)}
            onChange={({ currentTarget }) => {
              const others = draft.filter((one) => one !== value);
              onChange(currentTarget.checked ? [...others, value] : others);
            }}
          />
          <OptionTag field={field} value={value} />
        </label>
      ))}
    </fieldset>
  );
}
