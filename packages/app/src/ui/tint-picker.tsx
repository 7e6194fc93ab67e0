// The tint of an option or a status: a swatch that opens the ten.

import { Popover, Tooltip } from '@mantine/core';
import { TINTS, type Tint } from '@workspace-records/client';
import { useState } from 'react';
import { type PlainKey, useT } from '../lib/messages/index.ts';
import { Icon } from './icon.tsx';
import classes from './tint-picker.module.css';

const WORDS: Readonly<Record<Tint, PlainKey>> = {
  gray: 'tint.gray',
  red: 'tint.red',
  orange: 'tint.orange',
  yellow: 'tint.yellow',
  green: 'tint.green',
  teal: 'tint.teal',
  blue: 'tint.blue',
  indigo: 'tint.indigo',
  purple: 'tint.purple',
  pink: 'tint.pink',
};

interface TintPickerProps {
  readonly tint: Tint;
  /** The name of the option or status. */
  readonly name: string;
  readonly onChange: (tint: Tint) => void;
}

export function TintPicker({ tint, name, onChange }: TintPickerProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const choose = (one: Tint) => {
    setOpen(false);
    onChange(one);
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      trapFocus
      returnFocus
      position="bottom-start"
      shadow="md"
      withRoles={false}
    >
      <Popover.Target>
        <button
          type="button"
          className={classes.swatch}
          data-tint={tint}
          aria-label={t('tint.of', { name, tint: t(WORDS[tint]) })}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t('tint.choose')} className={classes.choices}>
        {TINTS.map((one) => (
          <Tooltip key={one} label={t(WORDS[one])}>
            <button
              type="button"
              className={classes.swatch}
              data-tint={one}
              aria-label={t(WORDS[one])}
              aria-pressed={one === tint}
              onClick={() => choose(one)}
            >
              {one === tint && <Icon name="check" size={12} />}
            </button>
          </Tooltip>
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}
