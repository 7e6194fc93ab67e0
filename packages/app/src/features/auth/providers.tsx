// A button for each identity provider that the workspace trusts.

import { Button } from '@mantine/core';
import { useT } from '../../lib/messages/index.ts';
import type { Methods } from './sign-in-page.tsx';

interface ProvidersProps {
  readonly methods: Methods | undefined;
  /** The path of the next page. */
  readonly to?: string | undefined;
  /** True: in another tab, so that this page keeps its state. */
  readonly isElsewhere?: boolean;
}

export function Providers({ methods, to, isElsewhere = false }: ProvidersProps) {
  const t = useT();
  const wanted = to === undefined ? '' : `&to=${encodeURIComponent(to)}`;
  return methods?.providers.map(({ id, name, start_url }) => (
    <Button
      key={id}
      component="a"
      size="sm"
      variant="default"
      href={start_url + wanted}
      {...(isElsewhere ? { target: '_blank', rel: 'noreferrer' } : {})}
    >
      {t('signIn.with', { name })}
    </Button>
  ));
}
