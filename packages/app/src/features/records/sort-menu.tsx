// The order of a list: up to three fields, one after another, each up or down.

import { ActionIcon, Button, Group, NativeSelect } from '@mantine/core';
import type { Field, ObjectDefinition } from '@workspace-records/client';
import { useRef, useState } from 'react';
import { kindOf } from '../../fields/kinds.ts';
import { isQueryable } from '../../lib/field-facts.ts';
import { offeredFields } from '../../lib/field-order.ts';
import { useT } from '../../lib/messages/index.ts';
import { MOST_SORTS, type Sorting } from '../../lib/view-state.ts';
import { Floating } from '../../ui/floating.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ToolButton } from '../../ui/tool-button.tsx';
import classes from './sort-menu.module.css';

interface SortMenuProps {
  readonly object: ObjectDefinition;
  readonly sort: readonly Sorting[];
  readonly onChange: (sort: readonly Sorting[]) => void;
}

export function SortMenu({ object, sort, onChange }: SortMenuProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const fields = offeredFields(object).filter(
    (field) => isQueryable(field) && kindOf(field).isSorted !== false,
  );
  const nameOf = (key: string) => fields.find((field) => field.key === key)?.name ?? key;
  const [first] = sort;
  const text =
    first === undefined
      ? t('sort.button')
      : t('sort.by', { names: sort.map(({ key }) => nameOf(key)).join(', ') });
  return (
    <Floating
      title={t('sort.title')}
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      target={
        <ToolButton
          icon="sort"
          isOpen={isOpen}
          isActive={first !== undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {text}
        </ToolButton>
      }
    >
      <SortList fields={fields} sort={sort} onChange={onChange} />
    </Floating>
  );
}

interface SortListProps extends Omit<SortMenuProps, 'object'> {
  readonly fields: readonly Field[];
}

/** Each change is seen at once in the list behind it. */
function SortList({ fields, sort, onChange }: SortListProps) {
  const t = useT();
  const list = useRef<HTMLOListElement>(null);
  const free = fields.filter(({ key }) => !sort.some((one) => one.key === key));
  const [next] = free;
  const isFull = sort.length >= MOST_SORTS;
  const remove = (index: number) => {
    onChange(sort.toSpliced(index, 1));
    // The pressed button is gone; the button below may not be open yet.
    const selects = list.current?.querySelectorAll<HTMLElement>('li > :first-child select');
    const other = [...(selects ?? [])].find((_, place) => place !== index);
    const add = list.current?.parentElement?.querySelector<HTMLElement>('[data-add]');
    (other ?? add)?.focus();
  };
  const move = (from: number, to: number) => {
    const moved = sort[from];
    if (moved !== undefined) onChange(sort.toSpliced(from, 1).toSpliced(to, 0, moved));
  };
  return (
    <>
      <ol ref={list} className={classes.list}>
        {sort.map((one, index) => (
          <SortRow
            key={one.key}
            one={one}
            offered={fields.filter((field) => field.key === one.key || free.includes(field))}
            onChange={(changed) => onChange(sort.with(index, changed))}
            onRemove={() => remove(index)}
            onUp={index === 0 ? undefined : () => move(index, index - 1)}
          />
        ))}
      </ol>
      {next !== undefined && (
        <Button
          data-add
          data-autofocus
          variant="subtle"
          leftSection={<Icon name="plus" size={12} />}
          disabled={isFull}
          onClick={() => onChange([...sort, { key: next.key, isDescending: false }])}
        >
          {isFull ? t('sort.full', { count: MOST_SORTS }) : t('sort.add')}
        </Button>
      )}
    </>
  );
}

interface SortRowProps {
  readonly one: Sorting;
  /** The fields to choose from, the present one among them. */
  readonly offered: readonly Field[];
  readonly onChange: (one: Sorting) => void;
  readonly onRemove: () => void;
  /** Undefined: it is the first. */
  readonly onUp: (() => void) | undefined;
}

function SortRow({ one, offered, onChange, onRemove, onUp }: SortRowProps) {
  const t = useT();
  const { key, isDescending } = one;
  const data = offered.map((field) => ({ value: field.key, label: field.name ?? field.key }));
  const name = data.find(({ value }) => value === key)?.label ?? key;
  return (
    <Group component="li" wrap="nowrap" gap="xs">
      <NativeSelect
        size="xs"
        aria-label={t('sort.field')}
        className={classes.field}
        data={data}
        value={key}
        onChange={({ currentTarget }) => onChange({ key: currentTarget.value, isDescending })}
      />
      <NativeSelect
        size="xs"
        aria-label={t('sort.direction', { name })}
        data={[
          { value: 'up', label: t('sort.up') },
          { value: 'down', label: t('sort.down') },
        ]}
        value={isDescending ? 'down' : 'up'}
        onChange={({ currentTarget }) =>
          onChange({ key, isDescending: currentTarget.value === 'down' })
        }
      />
      <ActionIcon aria-label={t('sort.earlier', { name })} disabled={!onUp} onClick={onUp}>
        <Icon name="up" size={14} />
      </ActionIcon>
      <ActionIcon aria-label={t('sort.remove', { name })} onClick={onRemove}>
        <Icon name="close" size={12} />
      </ActionIcon>
    </Group>
  );
}
