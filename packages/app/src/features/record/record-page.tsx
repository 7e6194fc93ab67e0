// A record: its fields by type, its status, what was changed last. Each field is edited where it stands.

import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Field, ObjectDefinition } from '@workspace-records/client';
import { useEffect } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { useCanChange } from '../../lib/permissions.ts';
import { noteRecord } from '../../lib/recent.ts';
import { recordQuery } from '../../lib/record-writes.ts';
import { useObject } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { useLiveRecord } from '../../live/use-live.ts';
import { GoneRecord } from '../../ui/gone-record.tsx';
import { Page } from '../../ui/page.tsx';
import { FieldRow } from './field-row.tsx';
import classes from './record-page.module.css';
import { StatusMenu } from './status-menu.tsx';

export default function RecordPage() {
  const { type, id } = useParams({ from: '/$workspace/shell/o/$type/$id' });
  const { isGone } = useLiveRecord(type, id);
  if (isGone) return <GoneRecord type={type} />;
  return <Details key={`${type} ${id}`} type={type} id={id} />;
}

function Details({ type, id }: { readonly type: string; readonly id: string }) {
  const t = useT();
  const session = useSession();
  const { workspace } = session;
  const object = useObject(type);
  const { data: record } = useSuspenseQuery(recordQuery(session, type, id));
  const canChange = useCanChange(object, record, 'update');
  const display = record.display ?? t('records.unnamed');
  useEffect(() => noteRecord(workspace, { type, id, display }), [workspace, type, id, display]);
  return (
    <Page
      title={display}
      above={
        <nav aria-label={t('record.path')} className={classes.path}>
          <Link to="/$workspace/o/$type" params={{ workspace, type }}>
            {object.name ?? type}
          </Link>
          <span aria-hidden="true">/</span>
        </nav>
      }
      actions={<StatusMenu object={object} record={record} canChange={canChange} />}
    >
      <div className={classes.fields}>
        {shownFields(object).map((field) => (
          <FieldRow key={field.key} field={field} record={record} canChange={canChange} />
        ))}
      </div>
      <Times created={record.created_at} updated={record.updated_at} />
    </Page>
  );
}

/** What stands elsewhere on the page, or says nothing to people. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'id',
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
