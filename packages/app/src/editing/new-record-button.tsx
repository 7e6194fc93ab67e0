// The way to a new record of an object, where the person may make one with the values that it begins with.

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ObjectDefinition } from '@workspace-records/client';
import { canCreate, canWriteFields } from '../lib/creation-fields.ts';
import { useT } from '../lib/messages/index.ts';
import { accessQuery } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import { Icon } from '../ui/icon.tsx';
import { usePageAction } from '../ui/page-actions.ts';
import { type CreationRequest, openCreation } from './creation.ts';
import classes from './new-record-button.module.css';

interface NewRecordButtonProps extends Omit<CreationRequest, 'type'> {
  readonly object: Pick<
    ObjectDefinition,
    'object_type' | 'name' | 'singular_name' | 'capabilities' | 'permissions' | 'work_item_types'
  >;
  /** Others than `default` are a plus alone in a narrow window. */
  readonly variant?: string;
  /** True: the key `c` does the same on this page. */
  readonly isKeyed?: boolean;
}

export function NewRecordButton(props: NewRecordButtonProps) {
  const { object, variant = 'filled', isKeyed = false, ...request } = props;
  const t = useT();
  const type = object.object_type;
  const preset = Object.keys(request.preset ?? {});
  const { data: access } = useQuery({
    ...accessQuery(useSession()),
    enabled: preset.length > 0,
  });
  const isOffered = canCreate(object) && canWriteFields(type, preset, access);
  const name = object.singular_name ?? object.name ?? type;
  const label = t('create.new', { name });
  const run = () => openCreation({ type, ...request });
  const action = { id: `create.${type}`, label, icon: 'plus', shortcut: 'c', run } as const;
  usePageAction(isOffered && isKeyed ? action : undefined);
  if (!isOffered) return null;
  return (
    <Button
      variant={variant}
      className={classes.button}
      data-short={variant !== 'default' || undefined}
      leftSection={<Icon name="plus" size={14} />}
      aria-label={label}
      onClick={run}
    >
      <span className={classes.name}>{label}</span>
    </Button>
  );
}
