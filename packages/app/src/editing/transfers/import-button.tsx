// The way to the import of an object, for administrators.

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useT } from '../../lib/messages/index.ts';
import { accessQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';

export function ImportButton({ type }: { readonly type: string }) {
  const t = useT();
  const session = useSession();
  const { data: access } = useQuery(accessQuery(session));
  if (access?.administrator.allowed !== true || session.me.viewing !== undefined) return null;
  const params = { workspace: session.workspace, type };
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
