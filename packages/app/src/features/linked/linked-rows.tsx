// Linked records as a table: their names and a few fields; where there is no room for columns, each is some lines.

import { ActionIcon, Text } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Field, RecordData } from '@workspace-records/client';
import { kindOf } from '../../fields/kinds.ts';
import { useIsEmpty } from '../../lib/drained-pages.ts';
import { fieldValue } from '../../lib/field-value.ts';
import { useT } from '../../lib/messages/index.ts';
import { recordName } from '../../lib/record-name.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import classes from './linked-section.module.css';

export interface LinkedRowsProps {
  readonly query: Pick<
    UseInfiniteQueryResult,
    | 'error'
    | 'isFetching'
    | 'isSuccess'
    | 'hasNextPage'
    | 'hasPreviousPage'
    | 'isFetchingNextPage'
    | 'fetchNextPage'
  >;
  readonly rows: readonly RecordData[];
  readonly fields: readonly Field[];
  /** The id of the element that names the rows. */
  readonly titleId: string;
  /** Called with id and name of a record; undefined: links cannot be removed here. */
  readonly onUnlink: ((id: string, name: string) => void) | undefined;
}

export function LinkedRows({ query, rows, fields, titleId, onUnlink }: LinkedRowsProps) {
  const t = useT();
  const isEmpty = useIsEmpty(query, rows.length);
  return (
    <div aria-busy={query.isFetching}>
      {query.error !== null && <Problem error={query.error} />}
      {rows.length > 0 && (
        // The roles stay when the styles make lines of it.
        // biome-ignore lint/a11y/noRedundantRoles: a table that is shown as blocks is none to some readers.
        <table role="table" className={classes.table} aria-labelledby={titleId}>
          <Head fields={fields} canUnlink={onUnlink !== undefined} />
          {/* biome-ignore lint/a11y/noRedundantRoles: see above. */}
          <tbody role="rowgroup">
            {rows.map((record) => (
              <Row key={record.id} {...{ record, fields, onUnlink }} />
            ))}
          </tbody>
        </table>
      )}
      {isEmpty && (
        <Text c="dimmed" fz="xs" p="0.25rem 0.5rem">
          {t('linked.none')}
        </Text>
      )}
      <MoreButton query={query}>{t('linked.more')}</MoreButton>
    </div>
  );
}

function Head({ fields, canUnlink }: { fields: readonly Field[]; canUnlink: boolean }) {
  const t = useT();
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see above.
    <thead role="rowgroup">
      {/* biome-ignore lint/a11y/noRedundantRoles: see above. */}
      <tr role="row">
        <th scope="col">{t('records.name')}</th>
        {fields.map((field) => (
          <th key={field.key} scope="col" data-align={kindOf(field).align}>
            {field.name ?? field.key}
          </th>
        ))}
        {canUnlink && <td className={classes.last} />}
      </tr>
    </thead>
  );
}

interface RowProps extends Pick<LinkedRowsProps, 'fields' | 'onUnlink'> {
  readonly record: RecordData;
}

function Row({ record, fields, onUnlink }: RowProps) {
  const t = useT();
  const { workspace } = useSession();
  const { object_type: type, id, display } = record;
  const name = recordName({ display });
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see above.
    <tr role="row">
      <th scope="row" className={classes.name}>
        <Link to="/$workspace/o/$type/$id" params={{ workspace, type, id }} preload={false}>
          {name}
        </Link>
      </th>
      {fields.map((field) => (
        <Value key={field.key} field={field} value={fieldValue(record, field)} />
      ))}
      {onUnlink !== undefined && (
        // biome-ignore lint/a11y/noRedundantRoles: see above.
        <td role="cell" className={classes.last}>
          <ActionIcon aria-label={t('linked.unlink', { name })} onClick={() => onUnlink(id, name)}>
            <Icon name="close" size={12} />
          </ActionIcon>
        </td>
      )}
    </tr>
  );
}

/** `data-label`: the label before it where the head has no room. */
function Value({ field, value }: { readonly field: Field; readonly value: unknown }) {
  const { Show, align } = kindOf(field);
  return (
    <td
      // biome-ignore lint/a11y/noRedundantRoles: see above.
      role="cell"
      data-align={align}
      data-label={field.name ?? field.key}
      data-empty={value === null || undefined}
    >
      {value !== null && <Show value={value} field={field} />}
    </td>
  );
}
