// A record on a day: its name, which leads to it, its time, and the tint of its status.

import { draggable } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import { Link } from '@tanstack/react-router';
import type { RecordData } from '@workspace-records/client';
import { type CSSProperties, useEffect, useRef } from 'react';
import { isDay } from '../../lib/field-facts.ts';
import { fieldValue } from '../../lib/field-value.ts';
import { localeOf, useLanguage, useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { tintOf } from '../../lib/tints.ts';
import classes from './calendar.module.css';
import { type CalendarContent, useCalendarContent } from './calendar-context.ts';

export function Entry({ record }: { readonly record: RecordData }) {
  const t = useT();
  const { workspace } = useSession();
  const content = useCalendarContent();
  const { canMove, held, hintId, note } = content;
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
      style={styleOf(content, record)}
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

function styleOf({ object }: CalendarContent, { status }: RecordData): CSSProperties {
  const field = object.fields.find(({ key }) => key === 'status');
  const option = field?.options?.find(({ value }) => value === status);
  const tint = tintOf((option as { readonly color?: unknown } | undefined)?.color);
  return {
    '--tint': `var(--tint-${tint})`,
    '--tint-ink': `var(--tint-${tint}-ink)`,
    '--tint-mark': `var(--tint-${tint}-mark)`,
  } as CSSProperties;
}
