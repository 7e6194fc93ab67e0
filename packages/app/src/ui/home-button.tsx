// The way on from a page that does not exist.

import { Button } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useT } from '../lib/messages/index.ts';

/** Renders nothing outside of a workspace. */
export function HomeButton() {
  const t = useT();
  const { workspace } = useParams({ strict: false });
  if (workspace === undefined) return null;
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link to="/$workspace" params={{ workspace }} {...props} />}
    >
      {t('notFound.home')}
    </Button>
  );
}
