// Messages about webhooks.

export const webhookMessages = {
  since_not_past: 'since must be in the past.',
  until_before_since: 'until must be after since.',
  webhook_without_secret: 'The webhook has no secret. Rotate the secret first.',
  webhook_not_sending: 'The webhook does not send: it is {state}. Activate it first.',
  delivery_not_found: 'There is no such delivery.',
  webhook_of_others: 'Only an administrator can make webhooks of others.',
  webhook_owner_no_developer: 'The owner of a webhook needs developer access.',
  webhook_resume_alone: 'Send resume together with "active": true.',
  webhook_position_gone: 'The position is no longer kept. Continue with "resume": "now".',
  webhook_not_found: 'There is no such webhook.',
  too_many_webhooks: 'A workspace can have at most {most} webhooks. Delete one first.',
  secrets_key_missing: 'The service has no key for secrets. Its operator has to set SECRETS_KEY.',
  webhook_changed: 'The webhook has changed since it was read.',
  webhook_one_object: 'A webhook with conditions names exactly one object type.',
  webhook_conditions: 'A webhook has at most {most} conditions.',
  webhook_conditions_own: 'The conditions of a webhook are on fields of the object itself.',
  status_not_found: 'There is no status {status}.',
  webhook_paused: 'It was paused.',
  webhook_restored: 'The workspace was restored. Rotate the secret, then activate the webhook.',
  webhook_database_restored:
    'The database was restored from a backup. Activate the webhook from now on.',
  webhook_position_expired:
    'The changes behind its position are no longer kept. Activate it from now on.',
  webhook_receiver_gone: 'The receiver answered 410: it is gone.',
  webhook_failing: 'Nothing could be delivered for 5 days.',
  webhook_owner_inactive: 'Its owner is no longer active.',
  webhook_owner_not_developer: 'Its owner no longer has developer access.',
  webhook_key_ended: 'The API key that it was last changed with is no longer valid.',
  webhook_maker_not_administrator:
    'The person who made it for its owner is no longer an active administrator.',
  webhook_not_readable:
    'Its owner may no longer read what it asks for, or the definition no longer has it.',
  webhook_secret_unreadable:
    'Its secret cannot be decrypted with the keys of the service. Rotate the secret.',
  headers_for_another_server:
    'The address leads to another server: send its headers too, or {none} for none.',
  webhook_address_refused: 'Webhooks are not sent to this address.',
  webhook_needs_https: 'A webhook needs an address with https.',
  webhook_url_too_long: 'The address of a webhook can have at most {most} characters.',
  webhook_url_invalid: 'The address is not a valid URL.',
  webhook_url_credentials: 'The address of a webhook cannot contain credentials. Use a header.',
  webhook_url_fragment: 'The address of a webhook cannot have a fragment.',
  too_many_headers: 'A webhook can have at most {most} headers.',
  headers_too_long: 'The headers of a webhook can have at most {most} bytes together.',
  header_repeated: 'The header "{name}" is repeated.',
  header_name_invalid: '"{name}" is not a valid name of a header.',
  header_reserved: 'The header "{name}" cannot be set.',
  header_value_invalid: 'The value of the header "{name}" must be printable ASCII characters.',
} as const;
