// A record on a day: its time, its name, which leads to it, its owner, and the tint of its status or another option.

import { draggable } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import { Link } from '@tanstack/react-router';
import type { RecordData } from '@workspace-records/client';
import { useEffect, useRef } from 'react';
import { tintOfOption } from '../../fields/options.ts';
import { isDay } from '../../lib/field-facts.ts';
import { fieldValue } from '../../lib/field-value.ts';
import { localeOf, useLanguage, useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { OwnerMark } from '../../ui/owner-mark.tsx';
import classes from './calendar.module.css';
import { useCalendarContent } from './calendar-context.ts';

export function Entry({ record }: { readonly record: RecordData }) {
  const t = useT();
  const { workspace } = useSession();
  const { canMove, color, held, hintId, note } = useCalendarContent();
  const root = useRef<HTMLLIElement>(null);
  const isMovable = canMove(record);
  useEffect(() => note(record), [note, record]);
  useEffect(() => {
    if (root.current === null || !isMovable) return;
    return draggable({ element: root.current, getInitialData: () => ({ entry: record.id }) });
  }, [record.id, isMovable]);
  return (
    <li
      ref={root}
      className={classes.entry}
      data-tint={color === undefined ? 'blue' : tintOfOption(color, fieldValue(record, color))}
      data-held={held?.record.id === record.id || undefined}
    >
      <Link
        to="/$workspace/o/$type/$id"
        params={{ workspace, type: record.object_type, id: record.id }}
        data-entry={record.id}
        draggable={false}
        preload={false}
        title={record.display ?? undefined}
        aria-describedby={isMovable ? hintId : undefined}
      >
        <Time record={record} />
        {record.display ?? t('records.unnamed')}
      </Link>
      {record.owner_user_id !== null && <OwnerMark id={record.owner_user_id} size="small" />}
    </li>
  );
}

function Time({ record }: { readonly record: RecordData }) {
  const { field } = useCalendarContent();
  const locale = localeOf(useLanguage());
  const value = fieldValue(record, field);
  if (isDay(field) || typeof value !== 'string') return null;
  const text = new Date(value).toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit' });
  return <span className={classes.time}>{text}</span>;
}
