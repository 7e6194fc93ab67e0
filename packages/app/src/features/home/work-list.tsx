// Records that somebody has something to do with: each with its status, the record it belongs to, and its due date.

import { Link } from '@tanstack/react-router';
import type { ObjectSummary, RecordData } from '@workspace-records/client';
import { type ReactNode, useId } from 'react';
import { fieldValue } from '../../lib/field-value.ts';
import { useT } from '../../lib/messages/index.ts';
import type { OpenObject } from '../../lib/open-work.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { iconOf } from '../../ui/object-icon.ts';
import { Tag } from '../../ui/tag.tsx';
import { DueDate } from './due-date.tsx';
import classes from './home-page.module.css';

interface WorkListProps {
  readonly title: ReactNode;
  readonly count: string;
  readonly object: ObjectSummary;
  readonly open: OpenObject;
  readonly records: readonly RecordData[];
  /** The link to all of them. */
  readonly all: ReactNode;
}

export function WorkList({ title, count, object, open, records, all }: WorkListProps) {
  const id = useId();
  return (
    <section className={classes.part} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id} className={classes.heading}>
          <span>{title}</span> <span className={classes.count}>{count}</span>
        </h2>
        {all}
      </div>
      <ul className={classes.rows}>
        {records.map((record) => (
          <WorkRow key={record.id} {...{ object, open, record }} />
        ))}
      </ul>
    </section>
  );
}

type WorkRowProps = Pick<WorkListProps, 'object' | 'open'> & { readonly record: RecordData };

function WorkRow({ object, open, record }: WorkRowProps) {
  const t = useT();
  const { workspace } = useSession();
  const { object_type: type, id, display, status, public_id } = record;
  const statusLabel = status === null ? undefined : open.shown[status];
  const due = open.due && fieldValue(record, { key: open.due, storage: 'physical' });
  const about = aboutOf(record, open);
  return (
    <li className={classes.row}>
      <Link to="/$workspace/o/$type/$id" params={{ workspace, type, id }} className={classes.work}>
        <Icon name={iconOf(object)} />
        {public_id !== undefined && <span className={classes.number}>{public_id}</span>}
        <span className={classes.display}>{display ?? t('records.unnamed')}</span>
        {about !== undefined && <span className={classes.about}>{about}</span>}
        {statusLabel !== undefined && (
          <Tag tint={statusLabel.tint} isStatus>
            {statusLabel.name}
          </Tag>
        )}
        {typeof due === 'string' && <DueDate value={due} />}
      </Link>
    </li>
  );
}

interface Expanded {
  readonly display?: string | null;
}

/** Unless its own name has it. */
function aboutOf(record: RecordData, { about }: OpenObject): string | undefined {
  const names = about.map(
    (key) => (record.expanded?.[key] as Expanded | null | undefined)?.display ?? undefined,
  );
  return names.find((name) => name !== undefined && !record.display?.includes(name));
}
