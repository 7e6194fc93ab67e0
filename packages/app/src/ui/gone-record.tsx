// In place of a record that is gone, or that one may no longer see: the way back to the others.

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { readTrail } from '../lib/list-trail.ts';
import { useT } from '../lib/messages/index.ts';
import { objectsQuery } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import { EmptyState } from './empty-state.tsx';
import { HomeButton } from './home-button.tsx';
import { Page } from './page.tsx';

export function GoneRecord({ type }: { readonly type: string }) {
  const t = useT();
  const session = useSession();
  const { data: objects = [] } = useQuery(objectsQuery(session));
  const object = objects.find(({ object_type }) => object_type === type);
  const search = readTrail({ workspace: session.workspace, type })?.search ?? {};
  const params = { workspace: session.workspace, type };
  return (
    <Page title={t('live.gone')} width="wide">
      <EmptyState
        title={t('live.goneText')}
        action={
          object?.permissions.read.allowed === true ? (
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link to="/$workspace/o/$type" params={params} search={search} {...props} />
              )}
            >
              {t('live.toList', { name: object.name ?? type })}
            </Button>
          ) : (
            <HomeButton />
          )
        }
      />
    </Page>
  );
}
