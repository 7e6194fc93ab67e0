// The way to the data model, or to an object in it, for administrators.

import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useT } from '../lib/messages/index.ts';
import { useSession } from '../lib/session.ts';
import { useIsAdministrator } from '../lib/use-administrator.ts';

export function ModelButton({ type }: { readonly type?: string }) {
  const t = useT();
  const { workspace } = useSession();
  if (!useIsAdministrator()) return null;
  const to = type === undefined ? '/$workspace/settings/model' : '/$workspace/settings/model/$type';
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link to={to} params={{ workspace, type }} {...props} />}
    >
      {t('model.title')}
    </Button>
  );
}
