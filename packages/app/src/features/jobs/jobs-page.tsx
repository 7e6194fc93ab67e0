// The jobs that people started: one's own, or for administrators those of everybody. Read again while one of them is not
// finished.

import { Group } from '@mantine/core';
import { infiniteQueryOptions, useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { JobSummary } from '@workspace-records/client';
import { useFormats } from '../../lib/format.ts';
import { told, useT } from '../../lib/messages/index.ts';
import { usePersonName } from '../../lib/person-names.ts';
import { useSession, type WorkspaceClient } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Filters } from '../../ui/filters.tsx';
import framed from '../../ui/framed-rows.module.css';
import { MoreButton } from '../../ui/more-button.tsx';
import { Page } from '../../ui/page.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Backup } from './backup.tsx';
import { isOfPeople, shareOf, titleOf } from './job-words.ts';
import classes from './jobs.module.css';
import { StateMark } from './state-mark.tsx';
import { useObjectName } from './use-object-name.ts';

const AT_ONCE = 50;
/** Milliseconds. */
const LIVE = 2000;

type Kind = 'import' | 'export' | 'bulk';
const KINDS = { import: 'jobs.imports', export: 'jobs.exports', bulk: 'jobs.bulks' } as const;

function jobsQuery({ workspace, client }: WorkspaceClient, kind: Kind | undefined) {
  return infiniteQueryOptions({
    queryKey: [workspace, 'jobs', kind ?? ''],
    queryFn: ({ pageParam: cursor, signal }) =>
      client.jobs.list(
        { limit: AT_ONCE, cursor, ...(kind === undefined ? {} : { kind }) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
    refetchInterval: ({ state }) => {
      const [first] = state.data?.pages ?? [];
      return first?.data.some(({ finished_at }) => finished_at === null) === true ? LIVE : false;
    },
  });
}

export default function JobsPage() {
  const t = useT();
  const session = useSession();
  const search = useSearch({ from: '/$workspace/shell/jobs' });
  const kind = (Object.keys(KINDS) as Kind[]).find((one) => one === search.kind);
  const query = useSuspenseInfiniteQuery(jobsQuery(session, kind));
  const jobs = query.data.pages.flatMap(({ data }) => data).filter(isOfPeople);
  return (
    <Page title={t('jobs.title')} width="broad">
      <Filters label={t('jobs.which')}>
        <KindLink kind={undefined} chosen={kind} />
        {(Object.keys(KINDS) as Kind[]).map((one) => (
          <KindLink key={one} kind={one} chosen={kind} />
        ))}
      </Filters>
      {jobs.length === 0 ? (
        <EmptyState title={t('jobs.none')} text={t('jobs.noneText')} />
      ) : (
        <ul className={`${framed.rows} ${classes.jobs}`} aria-label={t('jobs.title')}>
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </ul>
      )}
      <MoreButton query={query}>{t('jobs.more')}</MoreButton>
      <Backup />
    </Page>
  );
}

interface KindLinkProps {
  /** Undefined: all. */
  readonly kind: Kind | undefined;
  readonly chosen: Kind | undefined;
}

function KindLink({ kind, chosen }: KindLinkProps) {
  const t = useT();
  const { workspace } = useSession();
  return (
    <Link
      to="/$workspace/jobs"
      params={{ workspace }}
      search={kind === undefined ? {} : { kind }}
      aria-current={kind === chosen ? 'page' : undefined}
    >
      {kind === undefined ? t('jobs.all') : t(KINDS[kind])}
    </Link>
  );
}

function JobRow({ job }: { readonly job: JobSummary }) {
  const t = useT();
  const { workspace, me } = useSession();
  const { ago, number } = useFormats();
  const nameOf = useObjectName();
  const { id, about, counts, created_at, asked_by_user_id, finished_at, error } = job;
  const { rejected = 0 } = counts;
  return (
    <li className={`${framed.covered} ${classes.job}`}>
      <Group wrap="nowrap">
        <Link to="/$workspace/jobs/$id" params={{ workspace, id }} className={framed.cover}>
          {titleOf(job, nameOf, t)}
        </Link>
        <StateMark state={job.state} />
      </Group>
      <div className={classes.small}>
        {typeof about.file_name === 'string' && `${about.file_name} · `}
        {job.progress !== null && `${t('import.rows', { count: job.progress.done })} · `}
        {rejected > 0 && `${t('jobs.rejected', { count: number(rejected) })} · `}
        {ago(created_at)}
        {asked_by_user_id !== null && asked_by_user_id !== me.user.id && (
          <By id={asked_by_user_id} />
        )}
      </div>
      {error !== null && <div className={classes.error}>{told(error)}</div>}
      {finished_at === null && <ProgressBar label={t('jobs.progress')} share={shareOf(job)} />}
    </li>
  );
}

function By({ id }: { readonly id: number }) {
  return ` · ${usePersonName(id)}`;
}
