// A choice of one or several options: native radio buttons or checkboxes, with a search field above many of them.

import { TextInput } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { folded } from '../../../tables/src/folded.ts';
import { useT } from '../lib/messages/index.ts';
import classes from './fields.module.css';

export interface Choosable {
  readonly value: unknown;
  readonly label: string;
  /** The content instead of the label, such as a tag. */
  readonly content?: ReactNode;
}

interface ChoicesProps {
  readonly offered: readonly Choosable[];
  readonly values: readonly unknown[];
  readonly isMany: boolean;
  readonly label: string;
  readonly onChange: (values: readonly unknown[]) => void;
  /** Called with the typed text; without it, the offered options are searched here. */
  readonly onSearch?: (text: string) => void;
}

/** The most options without a search field. */
const MOST_UNSEARCHED = 8;

export function Choices({ offered, values, isMany, label, onChange, onSearch }: ChoicesProps) {
  const t = useT();
  const name = useId();
  const [text, setText] = useState('');
  const isSearched = onSearch !== undefined || offered.length > MOST_UNSEARCHED;
  const wanted = folded(text);
  const visibleChoices = offered.filter(
    (one) => onSearch !== undefined || folded(one.label).includes(wanted),
  );
  const toggle = (value: unknown, isChosen: boolean) => {
    if (!isMany) return onChange([value]);
    const others = values.filter((one) => !isSameValue(one, value));
    onChange(isChosen ? [...others, value] : others);
  };
  return (
    <div className={classes.choosing}>
      {isSearched && (
        <TextInput
          size="xs"
          type="search"
          aria-label={t('filter.searchValues')}
          placeholder={t('filter.searchValues')}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            onSearch?.(currentTarget.value);
          }}
        />
      )}
      <fieldset className={`${classes.choices} ${classes.scrolled}`} aria-label={label}>
        {visibleChoices.map(({ value, label: word, content }) => (
          <label key={JSON.stringify(value)}>
            <input
              type={isMany ? 'checkbox' : 'radio'}
              name={name}
              checked={values.some((one) => isSameValue(one, value))}
              onChange={({ currentTarget }) => toggle(value, currentTarget.checked)}
            />
            {content ?? word}
          </label>
        ))}
        {visibleChoices.length === 0 && <p className={classes.dim}>{t('palette.nothing')}</p>}
      </fieldset>
    </div>
  );
}

/** Values are plain JSON. */
function isSameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
