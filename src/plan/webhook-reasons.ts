// Why webhooks do not send, in words for their owners. Pure.

/** Why a webhook does not send. */
export const REASONS = Object.freeze({
  paused: 'It was paused.',
  restored: 'The workspace was restored. Rotate the secret, then activate the webhook.',
  database_restored: 'The database was restored from a backup. Activate the webhook from now on.',
  position_expired: 'The changes behind its position are no longer kept. Activate it from now on.',
  receiver_gone: 'The receiver answered 410: it is gone.',
  failing: 'Nothing could be delivered for 5 days.',
  owner_inactive: 'Its owner is no longer active.',
  owner_not_developer: 'Its owner no longer has developer access.',
  key_ended: 'The API key that it was last changed with is no longer valid.',
  maker_not_administrator:
    'The person who made it for its owner is no longer an active administrator.',
  not_readable:
    'Its owner may no longer read what it asks for, or the definition no longer has it.',
  secret_unreadable:
    'Its secret cannot be decrypted with the keys of the service. Rotate the secret.',
});
export type Reason = keyof typeof REASONS;
