// The words of a column and the options that they become; each word without an option is given one, left empty, or
// refused.

import { Button, Group, NativeSelect } from '@mantine/core';
import { useId, useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import classes from './column-details.module.css';
import type { DetailsProps } from './column-details.tsx';
import { foreignTexts } from './import-draft.ts';
import { OptionsOffer } from './options-offer.tsx';

/** The most words of a column that are shown. */
const SHOWN = 40;

const REJECT = 'reject';
const EMPTY = 'empty';

export function OptionValues({ target, plan, field, column, onChange }: DetailsProps) {
  const t = useT();
  const id = useId();
  const texts = foreignTexts(field, plan, column.facts);
  const open = texts.filter((text) => plan.values[text] === undefined);
  const shown = [...open, ...texts.filter((text) => !open.includes(text))].slice(0, SHOWN);
  const [isShown, setShown] = useState(open.length > 0 && texts.length <= SHOWN);
  if (texts.length === 0) return null;
  const put = (changes: typeof plan.values, dropped?: string) => {
    const { [dropped ?? '']: _, ...others } = plan.values;
    onChange({ ...plan, values: { ...others, ...changes } });
  };
  return (
    <>
      <button
        type="button"
        className={classes.toggle}
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        data-open-words={open.length > 0 || undefined}
        onClick={() => setShown(!isShown)}
      >
        {open.length > 0
          ? t('import.openWords', { count: open.length })
          : t('import.matchedWords', { count: texts.length })}
      </button>
      {isShown && (
        <ul id={id} className={classes.values}>
          {shown.map((text) => (
            <Value
              key={text}
              {...{ text, field }}
              value={plan.values[text]}
              onChange={(value) => (value === undefined ? put({}, text) : put({ [text]: value }))}
            />
          ))}
          {open.length > 0 && (
            <Group component="li" align="stretch" gap="xs">
              <OptionsOffer {...{ target, plan, field, onChange }} words={open} />
              {open.length > 1 && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  onClick={() => put(Object.fromEntries(open.map((text) => [text, null])))}
                >
                  {t('import.emptyAll')}
                </Button>
              )}
            </Group>
          )}
        </ul>
      )}
    </>
  );
}

interface ValueProps extends Pick<DetailsProps, 'field'> {
  readonly text: string;
  /** Undefined: rows with it are refused. */
  readonly value: string | boolean | null | undefined;
  readonly onChange: (value: string | null | undefined) => void;
}

function Value({ text, field, value, onChange }: ValueProps) {
  const t = useT();
  const data = [
    { value: REJECT, label: t('import.refuseRows') },
    { value: EMPTY, label: t('import.leaveEmpty') },
    ...(field.options ?? []).map((option) => ({
      value: `=${option.value}`,
      label: option.label ?? String(option.value),
    })),
  ];
  const chosen = value === undefined ? REJECT : value === null ? EMPTY : `=${value}`;
  return (
    <li className={classes.value}>
      <span className={classes.word} title={text}>
        {text}
      </span>
      <NativeSelect
        size="xs"
        aria-label={t('import.optionFor', { word: text })}
        data={data}
        value={chosen}
        onChange={({ currentTarget: { value: next } }) =>
          onChange(next === REJECT ? undefined : next === EMPTY ? null : next.slice(1))
        }
      />
    </li>
  );
}
