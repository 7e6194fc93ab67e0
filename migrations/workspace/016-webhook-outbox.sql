-- The deliveries of webhooks are an outbox: a row is stored for each event before it is sent (docs/design/webhooks.md).
-- The first due deliveries of a webhook, without sorting those that became due at once.
create index _webhook_deliveries_next on {{workspace}}._webhook_deliveries (webhook_id, next_attempt_at, id)
  where state = 'pending';
drop index {{workspace}}._webhook_deliveries_due;

-- Pings come before all others, also of a webhook that sends nothing else.
create index _webhook_deliveries_pings on {{workspace}}._webhook_deliveries (webhook_id, next_attempt_at, id)
  where state = 'pending' and type = 'ping';

-- An earlier delivery of the same record: audit rows of a record are in the order of its revisions.
create index _webhook_deliveries_order on {{workspace}}._webhook_deliveries (webhook_id, record_id, audit_id)
  where state = 'pending';
drop index {{workspace}}._webhook_deliveries_record;

-- The last delivery that was attempted, among many that wait.
create index _webhook_deliveries_tried on {{workspace}}._webhook_deliveries (webhook_id, id) where attempts > 0;
