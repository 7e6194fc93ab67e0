// The person's own open records, by object.

import { Skeleton } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ObjectSummary, QuestionPage } from '@workspace-records/client';
import type { ReactNode } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { myOpenQuery, type OpenObject, openObjectsQuery } from '../../lib/open-work.ts';
import type { SearchParams } from '../../lib/search-params.ts';
import { useSession } from '../../lib/session.ts';
import { FailedPart } from './failed-part.tsx';
import { WorkList } from './work-list.tsx';

interface OpenWorkProps {
  readonly objects: readonly ObjectSummary[];
  /** The content when no records are open. */
  readonly nothing: ReactNode;
}

/** Pixels of a part with its six rows. */
const PART_HEIGHT = 276;
const NONE: readonly OpenObject[] = [];

export function OpenWork({ objects, nothing }: OpenWorkProps) {
  const t = useT();
  const session = useSession();
  const opens = useQuery(openObjectsQuery(session));
  const openObjects = opens.data ?? NONE;
  const pages = useQueries({ queries: openObjects.map((open) => myOpenQuery(session, open)) });
  const objectOf = (type: string) => objects.find(({ object_type }) => object_type === type);
  const isKnown = opens.isSuccess && pages.every(({ isSuccess }) => isSuccess);
  const isWaiting = [opens, ...pages].some(({ isPending }) => isPending);
  const isNothing = pages.every(({ data }) => data?.data.length === 0);
  return (
    <>
      <FailedPart title={t('home.mine')} queries={[opens, ...pages]} />
      {openObjects.map((open, index) => {
        const object = objectOf(open.type);
        const page = pages[index]?.data;
        if (object === undefined || page === undefined || page.data.length === 0) return null;
        const title = t('home.mineOf', { name: object.name ?? open.type });
        const search = {
          'filter[owner_user_id][eq]': String(session.me.user.id),
          'filter[status][in]': open.statuses.join(','),
          ...(open.due === undefined ? {} : { sort: open.due }),
        };
        return <Part key={open.type} {...{ title, object, open, page, search }} />;
      })}
      {isWaiting && <Skeleton height={PART_HEIGHT} radius="md" />}
      {isKnown && isNothing && nothing}
    </>
  );
}

interface PartProps {
  readonly title: string;
  readonly object: ObjectSummary;
  readonly open: OpenObject;
  readonly page: QuestionPage;
  /** The address of the list with all of the records. */
  readonly search: SearchParams;
}

function Part({ title, object, open, page, search }: PartProps) {
  const t = useT();
  const { workspace } = useSession();
  const { value = page.data.length, relation = 'exact' } = page.count ?? {};
  const count = relation === 'exact' ? String(value) : `${value}+`;
  const all = (
    <Link to="/$workspace/o/$type" params={{ workspace, type: open.type }} search={search}>
      {t('home.all')}
    </Link>
  );
  return <WorkList {...{ title, count, object, open, all }} records={page.data} />;
}
