// The way to a new record of an object, where the person may make one.

import { Button } from '@mantine/core';
import type { ObjectDefinition } from '@workspace-records/client';
import { canCreate } from '../lib/creation-fields.ts';
import { useT } from '../lib/messages/index.ts';
import { Icon } from '../ui/icon.tsx';
import { type CreationRequest, openCreation } from './creation.ts';
import classes from './new-record-button.module.css';

interface NewRecordButtonProps extends Omit<CreationRequest, 'type'> {
  readonly object: Pick<
    ObjectDefinition,
    'object_type' | 'name' | 'singular_name' | 'capabilities' | 'permissions' | 'work_item_types'
  >;
  readonly variant?: string;
}

export function NewRecordButton({ object, variant = 'filled', ...request }: NewRecordButtonProps) {
  const t = useT();
  if (!canCreate(object)) return null;
  const name = object.singular_name ?? object.name ?? object.object_type;
  return (
    <Button
      variant={variant}
      className={classes.button}
      leftSection={<Icon name="plus" size={14} />}
      aria-label={t('create.new', { name })}
      onClick={() => openCreation({ type: object.object_type, ...request })}
    >
      <span className={classes.name}>{t('create.new', { name })}</span>
    </Button>
  );
}
