// A failure, in words: by the code of the error, with the id for the log of the service.

import { Alert } from '@mantine/core';
import { isRecordsError } from '@workspace-records/client';
import { errorText, type PlainKey, type Translate, useT } from '../lib/messages/index.ts';
import { isPlanRefused } from '../lib/plan-refused.ts';
import { isConflict } from '../lib/record-writes.ts';
import { Icon } from './icon.tsx';

const TEXTS: Readonly<Record<string, PlainKey>> = {
  connection_failed: 'problem.connection',
  timed_out: 'problem.connection',
  service_unavailable: 'problem.busy',
  rate_limited: 'problem.busy',
  record_not_found: 'problem.gone',
  object_not_available: 'problem.gone',
  permission_denied: 'problem.forbidden',
  stale_record: 'problem.changed',
  missing_api_key: 'problem.signedOut',
  invalid_credentials: 'problem.signedOut',
  fresh_sign_in_required: 'problem.fresh',
};

/** One sentence; a code without a text here has the message of the service. */
export function problemText(error: unknown, t: Translate): string {
  if (isConflict(error)) return t('problem.changed');
  if (isPlanRefused(error)) return error.message;
  if (!isRecordsError(error)) return t('problem.unknown');
  const key = TEXTS[error.code];
  return key === undefined ? errorText(error) : t(key);
}

export function Problem({ error }: { readonly error: unknown }) {
  const t = useT();
  const id = isRecordsError(error) ? error.requestId : undefined;
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} role="alert">
      {problemText(error, t)}
      {id !== undefined && <div>{t('problem.id', { id })}</div>}
    </Alert>
  );
}
