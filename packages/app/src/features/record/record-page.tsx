// A record: its status, its fields by type, its last change, and the parts of other features: below the fields, and
// at their side where there is room.

import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Field, ObjectDefinition, RecordData } from '@workspace-records/client';
import { useEffect, useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { useCanChange } from '../../lib/permissions.ts';
import { noteRecord } from '../../lib/recent.ts';
import type { PartProps, RecordPart } from '../../lib/record-part.ts';
import { recordQuery } from '../../lib/record-writes.ts';
import { useMayAssign, useObjectOf } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { useLiveRecord } from '../../live/use-live.ts';
import { GoneRecord } from '../../ui/gone-record.tsx';
import { Page } from '../../ui/page.tsx';
import { lockOf } from './field-locks.ts';
import { FieldRow } from './field-row.tsx';
import { RecordMenu } from './record-menu.tsx';
import classes from './record-page.module.css';
import { SideParts } from './side-parts.tsx';
import { StatusMenu } from './status-menu.tsx';

interface RecordPageProps {
  /** Below the fields. */
  readonly main: readonly RecordPart[];
  /** At their side. */
  readonly side: readonly RecordPart[];
}

export function RecordPage(parts: RecordPageProps) {
  const { type, id } = useParams({ from: '/$workspace/shell/o/$type/$id' });
  const { isGone } = useLiveRecord(type, id);
  if (isGone) return <GoneRecord type={type} />;
  return <Loaded key={`${type} ${id}`} {...parts} type={type} id={id} />;
}

interface LoadedProps extends RecordPageProps {
  readonly type: string;
  readonly id: string;
}

function Loaded({ type, id, ...parts }: LoadedProps) {
  const { data: record } = useSuspenseQuery(recordQuery(useSession(), type, id));
  return <Details {...parts} object={useObjectOf(record)} record={record} />;
}

interface DetailsProps extends RecordPageProps {
  readonly object: ObjectDefinition;
  readonly record: RecordData;
}

function Details({ object, record, main, side }: DetailsProps) {
  const t = useT();
  const { workspace } = useSession();
  const { object_type: type, id, public_id } = record;
  const canChange = useCanChange(object, record, 'update');
  const display = record.display ?? t('records.unnamed');
  useEffect(() => noteRecord(workspace, { type, id, display }), [workspace, type, id, display]);
  const props = { object, record, canChange };
  return (
    <Page
      title={display}
      width="wide"
      above={
        <nav aria-label={t('record.path')} className={classes.path}>
          <Link to="/$workspace/o/$type" params={{ workspace, type }}>
            {object.name ?? type}
          </Link>
          <span aria-hidden="true">/</span>
          {public_id !== undefined && <span>{public_id}</span>}
        </nav>
      }
      actions={
        <>
          <StatusMenu {...props} />
          <RecordMenu object={object} record={record} />
        </>
      }
    >
      <div className={classes.columns}>
        <div className={classes.main}>
          <Fields {...props} />
          <Times created={record.created_at} updated={record.updated_at} />
          {main
            .filter(({ isOffered }) => isOffered(object))
            .map(({ key, Part }) => (
              <Part key={key} {...props} />
            ))}
        </div>
        <SideParts {...props} parts={side.filter(({ isOffered }) => isOffered(object))} />
      </div>
    </Page>
  );
}

function Fields({ object, record, canChange }: PartProps) {
  const t = useT();
  const [isTouched, setTouched] = useState(false);
  const mayAssign = useMayAssign(object, canChange && isTouched);
  const touch = () => setTouched(true);
  return (
    <section
      className={classes.fields}
      aria-label={t('record.fields')}
      onPointerEnter={touch}
      onFocus={touch}
    >
      {!canChange && <p className={classes.note}>{t('record.readOnly')}</p>}
      {shownFields(object).map((field) => {
        const lock = canChange ? lockOf(field, mayAssign) : undefined;
        return (
          <FieldRow
            key={field.key}
            field={field}
            record={record}
            canChange={canChange && lock === undefined}
            lock={lock}
          />
        );
      })}
    </section>
  );
}

/** Fields that are shown elsewhere on the page, or have no meaning to people. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'id',
  'public_id',
  'status',
  'custom_status_id',
  'created_at',
  'updated_at',
]);

/** The name first, the owner last. */
function shownFields({ fields, display_field }: ObjectDefinition): readonly Field[] {
  const shown = fields.filter(({ key }) => !ELSEWHERE.has(key));
  const rank = ({ key }: Field) => (key === display_field ? 0 : key === 'owner_user_id' ? 2 : 1);
  return shown.toSorted((one, other) => rank(one) - rank(other));
}

interface TimesProps {
  readonly created: string | null;
  readonly updated: string | null;
}

function Times({ created, updated }: TimesProps) {
  const t = useT();
  const { moment, ago } = useFormats();
  if (created === null || updated === null) return null;
  return (
    <p className={classes.times} title={moment(updated)}>
      {t('record.times', { created: moment(created), updated: ago(updated) })}
    </p>
  );
}
