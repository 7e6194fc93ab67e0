// The input for a code of an authenticator app, or for a recovery code.

import '../lib/factor-texts.ts';
import { TextInput } from '@mantine/core';
import { useT } from '../lib/messages/index.ts';

/** Its name in the form is its kind. */
export function FactorInput({ kind }: { readonly kind: 'code' | 'recovery_code' }) {
  const t = useT();
  const isCode = kind === 'code';
  return (
    <TextInput
      name={kind}
      label={t(isCode ? 'factor.code' : 'factor.recovery')}
      autoComplete={isCode ? 'one-time-code' : 'off'}
      required
      withAsterisk={false}
      autoFocus
      {...(isCode ? { inputMode: 'numeric', pattern: '[0-9]{6}', maxLength: 6 } : {})}
    />
  );
}
