// A value that was replaced: before and after, as the record shows values, and the button that brings it back.

import { Group, UnstyledButton } from '@mantine/core';
import type { Field, HistoryEntry } from '@workspace-records/client';
import { lockOf } from '../../editing/field-locks.ts';
import { kindOf } from '../../fields/kinds.ts';
import { fieldValue, isSame } from '../../lib/field-value.ts';
import { useT } from '../../lib/messages/index.ts';
import type { PartProps } from '../../lib/record-part.ts';
import { OWNER_KEY, useMayAssign } from '../../lib/schema-queries.ts';
import { Hidden } from '../../ui/hidden.tsx';
import { Icon } from '../../ui/icon.tsx';
import classes from './history.module.css';
import type { useRestore } from './use-restore.ts';

interface ChangedValueProps extends PartProps {
  readonly field: Field;
  readonly change: HistoryEntry['changes'][number];
  readonly restore: ReturnType<typeof useRestore>['restore'];
}

export function ChangedValue({ field, change, restore, ...props }: ChangedValueProps) {
  const t = useT();
  const { object, record, canChange } = props;
  const mayAssign = useMayAssign(object, canChange && field.key === OWNER_KEY);
  const isThere = isSame(fieldValue(record, field), change.old);
  const canRestore = canChange && !isThere && lockOf(field, mayAssign) === undefined;
  const name = field.name ?? field.key;
  return (
    <div className={classes.change}>
      <span className={classes.name}>{name}</span>
      <Group component="span" gap={6} maw="100%">
        <Value label={t('history.old')} field={field} value={change.old} isOld />
        <Icon name="right" size={12} />
        <Value label={t('history.new')} field={field} value={change.new} />
      </Group>
      {canRestore && (
        <UnstyledButton className={classes.restore} onClick={() => restore(field, change.old)}>
          <span aria-hidden>{t('history.restore')}</span>
          <Hidden>{t('history.restoreOf', { field: name })}</Hidden>
        </UnstyledButton>
      )}
    </div>
  );
}

interface ValueProps {
  readonly label: string;
  readonly field: Field;
  readonly value: unknown;
  readonly isOld?: boolean;
}

function Value({ label, field, value, isOld = false }: ValueProps) {
  const { Show } = kindOf(field);
  return (
    <span className={classes.value} data-old={isOld || undefined}>
      <Hidden>{label}</Hidden>
      {value === null ? '–' : <Show value={value} field={field} />}
    </span>
  );
}
