// The way to the import of an object, for administrators.

import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { useIsAdministrator } from '../../lib/use-administrator.ts';
import { Icon } from '../../ui/icon.tsx';

export function ImportButton({ type }: { readonly type: string }) {
  const t = useT();
  const { workspace } = useSession();
  if (!useIsAdministrator()) return null;
  const params = { workspace, type };
  return (
    <Button
      variant="default"
      leftSection={<Icon name="upload" size={14} />}
      renderRoot={(props) => <Link to="/$workspace/import/$type" params={params} {...props} />}
    >
      {t('import.openHere')}
    </Button>
  );
}
