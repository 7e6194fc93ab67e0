// The palette finds actions and records by a few letters. It is a combobox with a list, which screen readers know; the
// focus stays in the field.

import { Modal } from '@mantine/core';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { firstPaletteText } from '../actions/palette-state.ts';
import { useT } from '../lib/messages/index.ts';
import { Icon } from '../ui/icon.tsx';
import classes from './palette.module.css';
import { type Entry, usePaletteEntries } from './palette-entries.ts';

interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export default function Palette({ isOpen, onClose }: PaletteProps) {
  const t = useT();
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      size={600}
      padding={0}
      centered={false}
      lockScroll={false}
      yOffset="12vh"
      // A transition costs renderings before the first paint, and as many again to close.
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content aria-label={t('palette.title')}>
        <Finder onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  );
}

/** Mounted again each time the palette opens, with an empty field. */
function Finder({ onClose }: Pick<PaletteProps, 'onClose'>) {
  const t = useT();
  const id = useId();
  const [text, setText] = useState(firstPaletteText);
  const [marked, setMarked] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const { entries, isSearching } = usePaletteEntries(text);
  const current = Math.min(marked, entries.length - 1);
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };
  const mark = (index: number) => {
    const at = (index + entries.length) % Math.max(1, entries.length);
    setMarked(at);
    list.current?.querySelector(`[data-index="${at}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const acts = new Map([
      ['ArrowDown', () => mark(current + 1)],
      ['ArrowUp', () => mark(current - 1)],
      ['Enter', () => run(entries[current])],
    ]);
    const act = acts.get(event.key);
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    <>
      <div className={classes.field}>
        <Icon name="search" />
        <input
          data-autofocus
          className={classes.input}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setMarked(0);
          }}
          onKeyDown={onKeyDown}
          placeholder={t('palette.placeholder')}
          role="combobox"
          aria-label={t('palette.title')}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={entries.length > 0 ? `${id}-${current}` : undefined}
        />
      </div>
      <Entries {...{ id, list, entries, current, run }} />
      <p className={classes.note} role="status">
        {entries.length === 0 && !isSearching ? t('palette.nothing') : ''}
        {isSearching ? t('palette.searching') : ''}
      </p>
    </>
  );
}

interface EntriesProps {
  readonly id: string;
  readonly list: React.RefObject<HTMLDivElement | null>;
  readonly entries: readonly Entry[];
  readonly current: number;
  readonly run: (entry: Entry) => void;
}

function Entries({ id, list, entries, current, run }: EntriesProps) {
  const t = useT();
  return (
    <div
      ref={list}
      id={`${id}-list`}
      className={classes.list}
      role="listbox"
      aria-label={t('palette.title')}
    >
      {entries.map((entry, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys.
        <div
          key={entry.id}
          id={`${id}-${index}`}
          data-index={index}
          className={classes.entry}
          role="option"
          tabIndex={-1}
          aria-selected={index === current}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => run(entry)}
        >
          <Icon name={entry.icon} />
          <span className={classes.label}>{entry.label}</span>
          <span className={classes.group}>{entry.hint}</span>
          {entry.shortcut !== undefined && <kbd className={classes.key}>{entry.shortcut}</kbd>}
        </div>
      ))}
    </div>
  );
}
