// The icon of an object: a button that opens all icons, with a search by their names.

import { Popover, TextInput, Tooltip } from '@mantine/core';
import { OBJECT_ICONS, type ObjectIcon } from '@workspace-records/client';
import { type KeyboardEvent, useState } from 'react';
import '../../lib/icon-texts.ts';
import { folded } from '../../../../tables/src/folded.ts';
import { type Translate, useT } from '../../lib/messages/index.ts';
import { type Glyph, Icon } from '../../ui/icon.tsx';
import classes from './icon-picker.module.css';

interface IconPickerProps {
  readonly icon: ObjectIcon | undefined;
  /** The icon or letter without a choice. */
  readonly usual: Glyph;
  readonly onChange: (icon: ObjectIcon | undefined) => void;
}

export function IconPicker({ icon, usual, onChange }: IconPickerProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const name = icon === undefined ? t('icon.default') : t(`icon.${icon}`);
  const choose = (one: ObjectIcon | undefined) => {
    setOpen(false);
    onChange(one);
  };
  return (
    <div className={classes.field}>
      <span>{t('icon.icon')}</span>
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
            className={classes.chosen}
            aria-label={`${t('icon.icon')}: ${name}`}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={icon ?? usual} />
            {name}
          </button>
        </Popover.Target>
        <Popover.Dropdown role="dialog" aria-label={t('icon.choose')} className={classes.choices}>
          <Choices icon={icon} usual={usual} onChoose={choose} />
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}

interface ChoicesProps extends Omit<IconPickerProps, 'onChange'> {
  readonly onChoose: IconPickerProps['onChange'];
}

function Choices({ icon, usual, onChoose }: ChoicesProps) {
  const t = useT();
  const [text, setText] = useState('');
  const icons = iconsOf(text, t);
  const [first] = icons;
  const enter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (first !== undefined) onChoose(first);
  };
  return (
    <>
      <TextInput
        aria-label={t('icon.search')}
        placeholder={t('icon.search')}
        data-autofocus
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={enter}
      />
      <div className={classes.icons}>
        {text === '' && (
          <Choice
            name={t('icon.default')}
            glyph={usual}
            isChosen={icon === undefined}
            onChoose={() => onChoose(undefined)}
          />
        )}
        {icons.map((one) => (
          <Choice
            key={one}
            name={t(`icon.${one}`)}
            glyph={one}
            isChosen={one === icon}
            onChoose={() => onChoose(one)}
          />
        ))}
      </div>
      {first === undefined && <p role="status">{t('icon.none', { text })}</p>}
    </>
  );
}

function iconsOf(text: string, t: Translate): readonly ObjectIcon[] {
  return OBJECT_ICONS.filter((icon) => folded(t(`icon.${icon}`)).includes(folded(text.trim())));
}

interface ChoiceProps {
  readonly name: string;
  readonly glyph: Glyph;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Choice({ name, glyph, isChosen, onChoose }: ChoiceProps) {
  return (
    <Tooltip label={name}>
      <button
        type="button"
        className={classes.icon}
        aria-label={name}
        aria-pressed={isChosen}
        onClick={onChoose}
      >
        <Icon name={glyph} size={18} />
      </button>
    </Tooltip>
  );
}
