// Why a way by an identity provider has led back here: the service puts the code of the error into the address, or
// `unknown` for a sign-in that this browser has not under way.

import { Alert } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';

const TEXTS: Readonly<Record<string, PlainKey>> = {
  invalid_credentials: 'refused.unknown',
  unknown: 'refused.over',
  rate_limited: 'refused.tooMany',
  permission_denied: 'signIn.insecure',
};

export function Refusal() {
  const t = useT();
  const { refused } = useSearch({ strict: false });
  if (refused === undefined) return null;
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} role="alert">
      {t(TEXTS[refused] ?? 'refused.provider')}
    </Alert>
  );
}
