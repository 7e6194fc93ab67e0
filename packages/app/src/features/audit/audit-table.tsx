// Entries of the audit as a table: when, who, what, and the record or another subject.

import '../../lib/agent-texts.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '@workspace-records/client';
import { type ReactNode, useMemo } from 'react';
import { useFormats } from '../../lib/format.ts';
import { rightsQuery } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import { usePersonName } from '../../lib/person-names.ts';
import { useRecordName } from '../../lib/record-names.ts';
import { useSession } from '../../lib/session.ts';
import { PersonLink } from '../../ui/person-link.tsx';
import table from '../../ui/settings-table.module.css';
import classes from './audit.module.css';
import { sentenceOf } from './audit-words.ts';

interface AuditTableProps {
  readonly entries: readonly AuditEntry[];
  readonly isBusy: boolean;
}

export function AuditTable({ entries, isBusy }: AuditTableProps) {
  const t = useT();
  const nameOf = useFieldNames();
  return (
    <table
      className={`${table.table} ${classes.entries}`}
      aria-label={t('audit.title')}
      aria-busy={isBusy}
    >
      <thead>
        <tr>
          <th scope="col" className={table.tight}>
            {t('audit.time')}
          </th>
          <th scope="col">{t('audit.person')}</th>
          <th scope="col">{t('audit.what')}</th>
          <th scope="col">{t('audit.subject')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} nameOf={nameOf(entry.object_type)} />
        ))}
      </tbody>
    </table>
  );
}

type NameOf = (key: string) => string;

/** Names of the fields of all objects, from one answer; a key that is no field is its own name. */
function useFieldNames(): (objectType: string | null) => NameOf {
  const { data: rights } = useQuery(rightsQuery(useSession()));
  return useMemo(() => {
    const names = new Map(
      rights?.objects.map(({ object_type, fields }) => [
        object_type,
        new Map(fields.map(({ key, name }) => [key, name])),
      ]),
    );
    return (objectType) => (key) => names.get(objectType ?? '')?.get(key) ?? key;
  }, [rights]);
}

interface RowProps {
  readonly entry: AuditEntry;
  readonly nameOf: NameOf;
}

function Row({ entry, nameOf }: RowProps) {
  const t = useT();
  const { instant, moment } = useFormats();
  const { at, source, request_id } = entry;
  const ways = {
    import: t('audit.byImport'),
    bulk: t('audit.byBulk'),
    cli: t('audit.byCommand'),
    mcp: t('audit.byMcp'),
  };
  return (
    <tr>
      <td className={`${table.tight} ${table.dim}`}>
        <time dateTime={at} title={`${moment(at)} ${request_id ?? ''}`.trim()}>
          {instant(at)}
        </time>
      </td>
      <td className={classes.who}>
        <Actor entry={entry} />
      </td>
      <td>
        {sentenceOf(entry, nameOf, t)}
        {source !== 'api' && <span className={table.dim}> ({ways[source]})</span>}
      </td>
      <td>
        <Subject entry={entry} />
      </td>
    </tr>
  );
}

function Actor({ entry: { user, api_key, source } }: Pick<RowProps, 'entry'>) {
  const t = useT();
  if (user === null) {
    const isCommand = source === 'cli' || source === 'import';
    return <span className={table.dim}>{t(isCommand ? 'audit.operator' : 'audit.service')}</span>;
  }
  return (
    <>
      <Person id={user.id} email={user.email} />
      {api_key !== null && (
        <div className={`${table.dim} ${table.small}`}>
          {t('audit.byKey', { prefix: api_key.prefix ?? '' })}
        </div>
      )}
    </>
  );
}

function Person({ id, email }: { readonly id: number; readonly email: string | null }) {
  const name = usePersonName(id, email);
  return <PersonLink {...{ id, name }} />;
}

function Subject({ entry }: Pick<RowProps, 'entry'>): ReactNode {
  const { workspace } = useSession();
  const { object_type, record_id, subject_type, subject_id } = entry;
  if (object_type !== null && record_id !== null) {
    return <OfRecord type={object_type} id={record_id} />;
  }
  if (subject_id === null) return null;
  switch (subject_type) {
    case 'user':
    case 'viewing':
    case 'password':
      return <Person id={Number(subject_id)} email={null} />;
    case 'role':
      return (
        <Link
          to="/$workspace/settings/roles/$key"
          params={{ workspace, key: subject_id }}
          className={table.link}
        >
          {subject_id}
        </Link>
      );
    case 'webhook':
      return (
        <Link
          to="/$workspace/settings/webhooks/$id"
          params={{ workspace, id: subject_id }}
          className={table.link}
        >
          {shortOf(subject_id)}
        </Link>
      );
    default:
      return <span className={table.dim}>{shortOf(subject_id)}</span>;
  }
}

/** Enough of an id to tell it from others on the page. */
function shortOf(id: string): string {
  return /^[\da-f]{8}-/.test(id) ? `…${id.slice(-8)}` : id;
}

function OfRecord({ type, id }: { readonly type: string; readonly id: string }) {
  const { workspace } = useSession();
  const { name } = useRecordName(type, id);
  return (
    <Link
      to="/$workspace/o/$type/$id"
      params={{ workspace, type, id }}
      className={`${table.link} ${classes.record}`}
    >
      {name ?? shortOf(id)}
    </Link>
  );
}
