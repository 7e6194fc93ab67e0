// The page for an unknown address.

import { Button, Group } from '@mantine/core';
import { useT } from '../lib/messages/index.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { HomeButton } from '../ui/home-button.tsx';
import { Page } from '../ui/page.tsx';

export function NotFound() {
  const t = useT();
  return (
    <Page title={t('notFound.title')} width="wide">
      <EmptyState
        title={t('notFound.text')}
        action={
          <Group gap="xs">
            <Button variant="default" onClick={() => history.back()}>
              {t('notFound.back')}
            </Button>
            <HomeButton />
          </Group>
        }
      />
    </Page>
  );
}
