-- Before a transaction writes to the tables of a shard of Citus themselves: waits for who has closed the workspace to
-- writers (definitions/apply/lock-tables.ts), holds up a move of the shard until the transaction ends, waits for one that is under
-- way, and fails when the shard is not on this node (docs/decisions.md, D362). In PL/pgSQL, because each of its statements
-- sees what was committed before it started.
create function {{control}}.enter_shard(workspace text, shard bigint) returns void
language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('workspace-records writers ' || workspace, 0));
  -- 5: ShareLock, which Citus takes for its own writes.
  perform pg_catalog.lock_shard_metadata(5, array[shard]),
    pg_catalog.set_config('citus.enable_manual_changes_to_shards', 'on', true);
  if not exists (select from pg_catalog.pg_dist_placement p
      join pg_catalog.pg_dist_local_group g on g.groupid = p.groupid where p.shardid = shard) then
    raise exception 'the shard % is not on this node', shard using errcode = 'WR003';
  end if;
end;
$$;

-- Waits for all of them and holds up those that come, until the transaction ends.
create function {{control}}.close_shard(workspace text) returns void
language sql volatile as $$
  select pg_advisory_xact_lock(hashtextextended('workspace-records writers ' || workspace, 0));
$$;
