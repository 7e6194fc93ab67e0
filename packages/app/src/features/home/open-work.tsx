// The person's own open records, by object. Hidden where there are none.

import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ObjectSummary, RecordData } from '@workspace-records/client';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { myOpenQuery, type OpenStatuses, openStatusesQuery } from '../../lib/open-work.ts';
import { useSession } from '../../lib/session.ts';
import { FailedPart } from './failed-part.tsx';
import classes from './home-page.module.css';
import { RecordLink } from './record-link.tsx';

export function OpenWork({ objects }: { readonly objects: readonly ObjectSummary[] }) {
  const t = useT();
  const session = useSession();
  const statuses = useQuery(openStatusesQuery(session));
  const pages = useQueries({
    queries: (statuses.data ?? []).map((open) => myOpenQuery(session, open)),
  });
  return (
    <>
      <FailedPart title={t('home.mine')} queries={[statuses, ...pages]} />
      {statuses.data?.map((open, index) => {
        const object = objects.find(({ object_type }) => object_type === open.type);
        const records = pages[index]?.data?.data ?? [];
        if (object === undefined || records.length === 0) return null;
        return <OfObject key={open.type} {...{ object, open, records }} />;
      })}
    </>
  );
}

interface OfObjectProps {
  readonly object: ObjectSummary;
  readonly open: OpenStatuses;
  readonly records: readonly RecordData[];
}

function OfObject({ object, open, records }: OfObjectProps) {
  const t = useT();
  const { ago, moment } = useFormats();
  const { workspace, me } = useSession();
  const search = {
    'filter[owner_user_id][eq]': String(me.user.id),
    'filter[status][in]': open.statuses.join(','),
  };
  return (
    <>
      <div className={classes.head}>
        <h2 className={classes.heading}>
          {t('home.mine')}: {object.name ?? open.type}
        </h2>
        <Link to="/$workspace/o/$type" params={{ workspace, type: open.type }} search={search}>
          {t('home.all')}
        </Link>
      </div>
      <ul className={classes.records}>
        {records.map(({ id, display, updated_at }) => (
          <li key={id}>
            <RecordLink
              {...{ type: open.type, id, object }}
              display={display ?? t('records.unnamed')}
            >
              {updated_at !== null && (
                <time className={classes.kind} dateTime={updated_at} title={moment(updated_at)}>
                  {ago(updated_at)}
                </time>
              )}
            </RecordLink>
          </li>
        ))}
      </ul>
    </>
  );
}
