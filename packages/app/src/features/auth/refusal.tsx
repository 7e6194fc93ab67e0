// Why a sign-in at an identity provider has failed: the service puts the code of the error or the reason of the refusal
// into the address, or `unknown` for a sign-in that this browser did not begin.

import { Alert } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';

const TEXTS: Readonly<Record<string, PlainKey>> = {
  invalid_credentials: 'refused.unknown',
  provider_refused: 'refused.notConfirmed',
  claims_unusable: 'refused.claims',
  email_missing: 'refused.emailMissing',
  email_not_verified: 'refused.emailNotVerified',
  email_verification_missing: 'refused.emailSilent',
  second_factor_missing: 'refused.noFactor',
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
