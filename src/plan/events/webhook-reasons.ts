// Why webhooks do not send, in words for their owners. Pure.

/** Why a webhook does not send. */
import { say } from '../../messages/message.ts';

export const REASONS = Object.freeze({
  paused: say('webhook_paused'),
  restored: say('webhook_restored'),
  database_restored: say('webhook_database_restored'),
  position_expired: say('webhook_position_expired'),
  receiver_gone: say('webhook_receiver_gone'),
  failing: say('webhook_failing'),
  owner_inactive: say('webhook_owner_inactive'),
  owner_not_developer: say('webhook_owner_not_developer'),
  key_ended: say('webhook_key_ended'),
  maker_not_administrator: say('webhook_maker_not_administrator'),
  not_readable: say('webhook_not_readable'),
  secret_unreadable: say('webhook_secret_unreadable'),
});
export type Reason = keyof typeof REASONS;
