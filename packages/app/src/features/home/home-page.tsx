// The first page: what waits for the person, their favorites and the dashboards, and what they opened last.

import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ObjectSummary } from '@workspace-records/client';
import { later } from '../../lib/later.tsx';
import { useT } from '../../lib/messages/index.ts';
import { useReadableObjects } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { statusRequestsQuery } from '../../lib/status-requests.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { FailedPart } from './failed-part.tsx';
import classes from './home-page.module.css';
import { Mentions } from './mentions.tsx';
import { Nothing } from './nothing-open.tsx';
import { OpenWork } from './open-work.tsx';
import { QuickLinks } from './quick-links.tsx';
import { RecentRecords, RecentViews } from './recent-parts.tsx';

const WaitingRequests = later(() => import('./waiting-requests.tsx'));

export default function HomePage() {
  const t = useT();
  const { me } = useSession();
  const readable = useReadableObjects();
  const { name } = me.user;
  return (
    <Page title={t('nav.home')} width="wide">
      <div className={classes.home}>
        <Group gap="0.75rem 1.5rem" mb={20}>
          <Text fz="xl" fw={600}>
            {name === null ? t('home.hello') : t('home.greeting', { name })}
          </Text>
          {readable.length > 0 && <QuickLinks />}
        </Group>
        {readable.length === 0 ? (
          <EmptyState title={t('home.nothing')} text={t('home.askText')} />
        ) : (
          <div className={classes.columns}>
            <div className={classes.column}>
              {readable.some(({ approvals }) => approvals === true) && (
                <Waiting objects={readable} />
              )}
              <OpenWork objects={readable} nothing={<Nothing objects={readable} />} />
            </div>
            <div className={classes.column}>
              <Mentions />
              <RecentRecords />
              <RecentViews />
            </div>
          </div>
        )}
      </div>
    </Page>
  );
}

/** Empty where no move waits for the person. */
function Waiting({ objects }: { readonly objects: readonly ObjectSummary[] }) {
  const t = useT();
  const waiting = useQuery(statusRequestsQuery(useSession(), { approver: 'me' }));
  const requests = waiting.data ?? [];
  if (requests.length > 0) return <WaitingRequests requests={requests} objects={objects} />;
  return <FailedPart title={t('approval.waiting')} queries={[waiting]} />;
}
