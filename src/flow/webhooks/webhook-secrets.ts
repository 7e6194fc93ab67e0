// The secrets and headers of a webhook, decrypted.

import type { WebhookRow } from '../../control/events/webhook-rows.ts';
import { openSecret, type SecretKeys, type SecretUse } from '../../model/rights/sealed-secret.ts';

export interface WebhookSecrets {
  /** The current secret and, during a rotation, the previous one; `now`: milliseconds since 1970. */
  secrets(now: number): readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Decrypts the secrets and headers. Errors: operator errors, when a key is missing or a stored value was altered. */
export function openSecrets(
  keys: SecretKeys,
  workspaceId: number,
  webhook: WebhookRow,
): WebhookSecrets {
  const open = (sealed: string | null, use: SecretUse) =>
    sealed === null
      ? undefined
      : openSecret(keys, { workspace_id: workspaceId, row: webhook.id, use }, sealed);
  const current = open(webhook.secret, 'webhook_secret');
  const previous = open(webhook.previous_secret, 'webhook_secret');
  const until = Date.parse(webhook.previous_secret_until ?? '');
  return {
    secrets: (now) => [current, now < until ? previous : undefined].flatMap((one) => one ?? []),
    headers: JSON.parse(open(webhook.headers, 'webhook_headers') ?? '{}'),
  };
}
