// The fields of an object with a box for each: those that are shown come first, in their order, which is changed by drawing
// a handle, by arrow keys on it, or by buttons.

import { ActionIcon, Button, Text } from '@mantine/core';
import type { Field, ObjectDefinition } from '@workspace-records/client';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { hiddenColumns } from '../../lib/list-columns.ts';
import { useT } from '../../lib/messages/index.ts';
import { MOST_COLUMNS } from '../../lib/view-state.ts';
import { Icon } from '../../ui/icon.tsx';
import { moved, toggled } from './column-order.ts';
import classes from './columns-picker.module.css';
import { follow } from './use-widths.ts';

interface ColumnsPickerProps {
  readonly object: ObjectDefinition;
  readonly shown: readonly string[];
  readonly isStandard: boolean;
  readonly onChange: (fields: readonly string[] | undefined) => void;
}

/** Pixels; as in columns-picker.module.css. */
const ROW = 32;

export default function ColumnsPicker({ object, onChange, ...props }: ColumnsPickerProps) {
  const t = useT();
  // While it is drawn, the list alone follows.
  const [drawn, setDrawn] = useState<readonly string[]>();
  const [announcement, setAnnouncement] = useState('');
  const columnFields = drawn ?? props.shown;
  const hiddenFields = hiddenColumns(object, columnFields);
  const nameOf = (key: string) => object.fields.find((field) => field.key === key)?.name ?? key;
  const move = (key: string, to: (at: number) => number) => {
    const next = moved(props.shown, key, to);
    onChange(next);
    setAnnouncement(t('columns.place', { name: nameOf(key), place: next.indexOf(key) + 1 }));
  };
  const draw = (key: string, event: PointerEvent<HTMLElement>) => {
    const began = event.clientY;
    const at = (clientY: number) =>
      moved(props.shown, key, (from) => from + Math.round((clientY - began) / ROW));
    follow(event, {
      move: ({ clientY }) => setDrawn(at(clientY)),
      end({ clientY }) {
        setDrawn(undefined);
        onChange(at(clientY));
      },
    });
  };
  return (
    <>
      <ul className={classes.list}>
        {columnFields.map((key) => (
          <Shown key={key} name={nameOf(key)} onMove={(to) => move(key, to)}>
            {{
              onToggle: () => onChange(toggled(columnFields, key)),
              onDraw: (event) => draw(key, event),
            }}
          </Shown>
        ))}
        {hiddenFields.map((field) => (
          <Hidden
            key={field.key}
            field={field}
            isFull={columnFields.length >= MOST_COLUMNS}
            onShow={() => onChange(toggled(columnFields, field.key))}
          />
        ))}
      </ul>
      <Most isFull={columnFields.length >= MOST_COLUMNS} />
      <p role="status" className={classes.told}>
        {announcement}
      </p>
      <Button
        variant="subtle"
        disabled={props.isStandard}
        onClick={() => onChange(undefined)}
        className={classes.standard}
      >
        {t('columns.standard')}
      </Button>
    </>
  );
}

/** Why the other fields are closed. */
function Most({ isFull }: { readonly isFull: boolean }) {
  const t = useT();
  return isFull ? (
    <Text c="dimmed" fz="xs" mt="sm">
      {t('columns.most', { count: MOST_COLUMNS })}
    </Text>
  ) : null;
}

interface ShownProps {
  readonly name: string;
  readonly onMove: (to: (at: number) => number) => void;
  readonly children: {
    readonly onToggle: () => void;
    readonly onDraw: (event: PointerEvent<HTMLElement>) => void;
  };
}

function Shown({ name, onMove, children: { onToggle, onDraw } }: ShownProps) {
  const t = useT();
  const handle = useRef<HTMLButtonElement>(null);
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    onMove((at) => at + step);
    // Moved in the document, it would lose the focus.
    requestAnimationFrame(() => handle.current?.focus());
  };
  return (
    <li className={classes.row}>
      <button
        ref={handle}
        type="button"
        className={classes.handle}
        aria-label={t('columns.handle', { name })}
        onPointerDown={onDraw}
        onKeyDown={onKey}
      >
        <Icon name="grip" size={14} />
      </button>
      <label className={classes.name}>
        <input type="checkbox" checked onChange={onToggle} />
        {name}
      </label>
      <ActionIcon
        size={24}
        aria-label={t('columns.before', { name })}
        onClick={() => onMove((at) => at - 1)}
      >
        <Icon name="up" size={12} />
      </ActionIcon>
      <ActionIcon
        size={24}
        aria-label={t('columns.behind', { name })}
        onClick={() => onMove((at) => at + 1)}
      >
        <Icon name="down" size={12} />
      </ActionIcon>
    </li>
  );
}

interface HiddenProps {
  readonly field: Field;
  /** No more can be shown. */
  readonly isFull: boolean;
  readonly onShow: () => void;
}

function Hidden({ field: { key, name }, isFull, onShow }: HiddenProps) {
  return (
    <li className={classes.row} data-hidden>
      <label className={classes.name}>
        <input type="checkbox" checked={false} disabled={isFull} onChange={onShow} />
        {name ?? key}
      </label>
    </li>
  );
}
