// The head of a record: the icon of its object, its name, its status, and a few key facts.

import { Box, Group, Stack } from '@mantine/core';
import type { RecordData } from '@workspace-records/client';
import type { RefObject } from 'react';
import { useFormats } from '../../lib/format.ts';
import { later } from '../../lib/later.tsx';
import { useT } from '../../lib/messages/index.ts';
import type { PartProps } from '../../lib/record-part.ts';
import { Icon } from '../../ui/icon.tsx';
import { iconOf } from '../../ui/object-icon.ts';
import { type FieldLayout, isHeading } from './field-layout.ts';
import type { FieldRights } from './field-rights.ts';
import { FieldRow } from './field-row.tsx';
import classes from './record-head.module.css';
import { StatusMenu } from './status-menu.tsx';
import { TitleEdit } from './title-edit.tsx';

const Requests = later(() => import('./record-requests.tsx'));

interface RecordHeadProps extends PartProps {
  readonly facts: FieldLayout['facts'];
  readonly rights: FieldRights;
  /** The level of the heading: 2 beside a list, which has a heading of its own. */
  readonly level: 1 | 2;
  readonly heading?: RefObject<HTMLHeadingElement | null> | undefined;
}

export function RecordHead({ facts, rights, level, heading, ...props }: RecordHeadProps) {
  const t = useT();
  const { object, record, canChange } = props;
  const named = object.fields.find((field) => isHeading(object, field));
  const field = named !== undefined && rights.of(named).canChange ? named : undefined;
  return (
    <Stack component="header" gap={14}>
      <Group align="flex-start" wrap="nowrap" gap={14}>
        <span className={classes.tile}>
          <Icon name={iconOf(object)} size={20} />
        </span>
        <Box miw={0} flex={1}>
          <TitleEdit {...{ record, field, level, heading }} />
          <Group gap="0.25rem 0.75rem" c="dimmed" fz="xs" mt={2} mih={26}>
            <StatusMenu {...props} />
            {record.public_id !== undefined && <span>{record.public_id}</span>}
            <Times record={record} />
          </Group>
        </Box>
      </Group>
      {object.approvals === true && <Requests object={object} record={record} />}
      {!canChange && <p className={classes.note}>{t('record.readOnly')}</p>}
      {facts.length > 0 && (
        <section className={classes.facts} aria-label={t('record.facts')} {...rights.touched}>
          {facts.map((fact) => (
            <FieldRow key={fact.key} field={fact} record={record} {...rights.of(fact)} />
          ))}
        </section>
      )}
    </Stack>
  );
}

function Times({ record: { created_at, updated_at } }: { readonly record: RecordData }) {
  const t = useT();
  const { moment, ago } = useFormats();
  if (created_at === null || updated_at === null) return null;
  const title = t('record.times', { created: moment(created_at), updated: moment(updated_at) });
  return <span title={title}>{t('record.updated', { ago: ago(updated_at) })}</span>;
}
