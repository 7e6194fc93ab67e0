// A button for each identity provider that the workspace trusts.

import { Button } from '@mantine/core';
import { useT } from '../../lib/messages/index.ts';
import type { Methods } from './sign-in-page.tsx';

interface ProvidersProps {
  readonly methods: Methods | undefined;
  /** True: in another tab, so that what is on this page stays. */
  readonly isElsewhere?: boolean;
}

export function Providers({ methods, isElsewhere = false }: ProvidersProps) {
  const t = useT();
  return methods?.providers.map(({ id, name, start_url }) => (
    <Button
      key={id}
      component="a"
      size="sm"
      variant="default"
      href={start_url}
      {...(isElsewhere ? { target: '_blank', rel: 'noreferrer' } : {})}
    >
      {t('signIn.with', { name })}
    </Button>
  ));
}
