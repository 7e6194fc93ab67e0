// In place of open work where there is none: for the administrator of an empty workspace ways to begin, for everybody else
// new records.

import { useQuery } from '@tanstack/react-query';
import type { ObjectSummary } from '@workspace-records/client';
import { NewRecordButton } from '../../editing/new-record-button.tsx';
import { useT } from '../../lib/messages/index.ts';
import { openObjectsQuery } from '../../lib/open-work.ts';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FirstRun } from './first-run.tsx';
import classes from './home-page.module.css';

interface NothingProps {
  readonly objects: readonly ObjectSummary[];
}

export function Nothing({ objects }: NothingProps) {
  const t = useT();
  return (
    <FirstRun objects={objects}>
      <section className={classes.part} aria-label={t('home.mine')}>
        <EmptyState
          title={t('home.noWork')}
          text={t('home.noWorkText')}
          action={<Ways objects={objects} />}
        />
      </section>
    </FirstRun>
  );
}

const MOST_WAYS = 2;

/** New records of the objects with open work, which the person would own. */
function Ways({ objects }: NothingProps) {
  const { data: opens = [] } = useQuery(openObjectsQuery(useSession()));
  const owned = objects.filter((object) => opens.some(({ type }) => type === object.object_type));
  return (
    <div className={classes.ways}>
      {owned.slice(0, MOST_WAYS).map((object) => (
        <NewRecordButton key={object.object_type} object={object} variant="default" />
      ))}
    </div>
  );
}
