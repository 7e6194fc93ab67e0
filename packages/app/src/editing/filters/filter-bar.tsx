// Filters: a chip for each, which opens it, and the way to another one.

import { ActionIcon, Button, Group } from '@mantine/core';
import type { ObjectDefinition, Where } from '@workspace-records/client';
import { useRef, useState } from 'react';
import { clauseOf } from '../../lib/clauses.ts';
import { useT } from '../../lib/messages/index.ts';
import { Floating } from '../../ui/floating.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ClauseEdit } from './clause-edit.tsx';
import { FilterText } from './filter-text.tsx';
import classes from './filters.module.css';
import { NewFilter } from './new-filter.tsx';

interface FilterBarProps {
  readonly object: ObjectDefinition;
  readonly where: readonly Where[];
  /** Conditions that the service takes. */
  readonly most?: number;
  /** True: fields behind references are not offered. */
  readonly isOwn?: boolean;
  /** False: the way to another one is elsewhere. */
  readonly hasNew?: boolean;
  /** Called when the last chip has gone with what had the focus. */
  readonly onEmptied?: () => void;
  readonly onChange: (where: readonly Where[]) => void;
}

export default function FilterBar(props: FilterBarProps) {
  const { object, where, most, isOwn = false, hasNew = true, onChange, onEmptied } = props;
  const t = useT();
  const [opened, setOpened] = useState<number>();
  const bar = useRef<HTMLDivElement>(null);
  const close = () => setOpened(undefined);
  const remove = (index: number) => {
    close();
    onChange(where.filter((_, other) => other !== index));
    refocus();
  };
  // The pressed button is gone with its chip.
  const refocus = () =>
    requestAnimationFrame(() => {
      const next = bar.current?.querySelector('button');
      if (next == null) onEmptied?.();
      else next.focus();
    });
  return (
    <Group ref={bar} gap="0.25rem 0.375rem" miw={0} role="group" aria-label={t('filter.label')}>
      {hasNew && (
        <NewFilter
          {...{ object, where, most, isOwn }}
          onApply={(part) => onChange([...where, part])}
        />
      )}
      {where.map((part, index) => (
        <FilterChip
          // biome-ignore lint/suspicious/noArrayIndexKey: the order is that of the address.
          key={index}
          {...{ object, part, isOwn }}
          isOpen={opened === index}
          onOpen={() => setOpened(opened === index ? undefined : index)}
          onClose={close}
          onRemove={() => remove(index)}
          onApply={(next) => {
            close();
            onChange(where.with(index, next));
          }}
        />
      ))}
      {where.length > 1 && (
        <Button
          variant="subtle"
          color="gray"
          onClick={() => {
            onChange([]);
            refocus();
          }}
        >
          {t('filter.clear')}
        </Button>
      )}
    </Group>
  );
}

interface FilterChipProps {
  readonly object: ObjectDefinition;
  readonly part: Where;
  readonly isOwn: boolean;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly onRemove: () => void;
  readonly onApply: (part: Where) => void;
}

function FilterChip(props: FilterChipProps) {
  const { object, part, isOwn, isOpen, onOpen, onClose, onRemove, onApply } = props;
  const t = useT();
  const clause = clauseOf(part);
  const text = <FilterText object={object} part={part} />;
  return (
    <div className={classes.chip}>
      {clause === undefined ? (
        // The condition has a form that is not built here: it can only be removed.
        <span className={classes.chipText}>{text}</span>
      ) : (
        <Floating
          title={t('filter.edit')}
          isOpen={isOpen}
          onClose={onClose}
          target={
            <button
              type="button"
              className={classes.chipText}
              aria-haspopup="dialog"
              aria-expanded={isOpen}
              onClick={onOpen}
            >
              {text}
            </button>
          }
        >
          <ClauseEdit {...{ object, isOwn, clause, onRemove, onApply }} />
        </Floating>
      )}
      <ActionIcon size={24} aria-label={t('filter.remove')} onClick={onRemove}>
        <Icon name="close" size={12} />
      </ActionIcon>
    </div>
  );
}
