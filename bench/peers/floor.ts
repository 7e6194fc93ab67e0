// The adapter of the floor (../floor.ts): for reads the statements of our planner alone, for writes the obvious ones.
// The service loads its deals over the same database.

import type { ObjectModel } from '../../src/model/definition/model.ts';
import {
  type GroupColumn,
  type MetricColumn,
  planAggregate,
} from '../../src/plan/read/aggregate-plan.ts';
import { planGet, planList } from '../../src/plan/read/read-plan.ts';
import { recordQuery } from '../../src/plan/read/record-query.ts';
import { aggregateSql } from '../../src/sql/read/aggregate-sql.ts';
import { readSql } from '../../src/sql/read/read-sql.ts';
import { type Statement, toStatement } from '../../src/sql/sql.ts';
import type { FloorWork } from '../floor.ts';
import { columnsOf, searchRowsOfText } from '../search-rows.ts';
import type { Visitor } from '../site.ts';
import { openSender } from './client.ts';
import { loadDeals } from './compare.ts';
import {
  type Deal,
  NEW_BATCHES,
  NEW_DEALS,
  openLedger,
  PAGE,
  placesToGet,
  SELECTIONS,
} from './deals.ts';
import type { OpenPeer, Peer, PeerTasks, StoredDeal } from './peer.ts';
import { serviceOf } from './service.ts';
import { type OpenStand, openOwnStand, SLUG, type Stand, settle } from './stand.ts';

const FIELDS = ['name', 'stage', 'amount', 'close_date', 'priority'];
const SCHEMA = `ws_${SLUG}`;

export function floorPeer(openStand: OpenStand = openOwnStand): Peer {
  return {
    name: 'floor',
    async open(deals) {
      const stand = await openStand({});
      return openFloor(stand, deals).catch(async (error: unknown) => {
        await stand.close();
        throw error;
      });
    },
  };
}

async function openFloor(stand: Stand, deals: readonly Deal[]): Promise<OpenPeer> {
  const service = serviceOf(stand);
  const sender = openSender(service.url, service.headers, 1);
  const ids = await loadDeals(service, sender, deals, openLedger());
  sender.close();
  const got = placesToGet(deals.length).map((place) => ids[place] as string);
  const { routes, tasks } = floorOf(stand.visitor, got);
  const floor = await stand.startFloor(routes);
  return {
    url: floor.url,
    headers: {},
    tasks,
    ids,
    settle: () => settle(stand),
    close: () => floor.stop().finally(stand.close),
  };
}

/** A row as `pg` gives it to `JSON.stringify`: numerics are strings, dates local midnights. */
interface Row extends Omit<Deal, 'amount'> {
  readonly id: string;
  readonly amount: string;
}

type GroupRow = Readonly<Record<string, unknown>>;

/** It has its statements with their values beforehand; a request names one by its number. */
function floorOf(visitor: Visitor, ids: readonly string[]) {
  const { get, list, aggregate, aliases } = readStatements(visitor, ids);
  const { id: user } = visitor.context.caller.user;
  const routes: Readonly<Record<string, readonly FloorWork[]>> = {
    get,
    list,
    aggregate: [aggregate],
    create: NEW_DEALS.map((deal) => insertStatements([deal], user)),
    batch: NEW_BATCHES.map((deals) => insertStatements(deals, user)),
  };
  const totalOf = (row: GroupRow) => ({
    stage: String(row[aliases.stage]),
    count: Number(row[aliases.count]),
    sum: Number(row[aliases.sum]),
  });
  const tasks: PeerTasks = {
    get: {
      request: (id) => ({ method: 'GET', path: `/get/${ids.indexOf(id)}` }),
      status: 200,
      read: (rows) => storedOf((rows as readonly [Row])[0]),
    },
    list: {
      request: (selection) => ({
        method: 'GET',
        path: `/list/${SELECTIONS.indexOf(selection)}`,
      }),
      status: 200,
      read: (rows) => (rows as readonly Row[]).slice(0, PAGE).map(storedOf),
    },
    aggregate: {
      request: () => ({ method: 'GET', path: '/aggregate/0' }),
      status: 200,
      read: (rows) => (rows as readonly GroupRow[]).map(totalOf),
    },
    create: {
      request: (deal) => ({
        method: 'POST',
        path: `/create/${NEW_DEALS.indexOf(deal)}`,
        body: deal,
      }),
      status: 200,
      read: (rows) => storedOf((rows as readonly [Row])[0]),
    },
    batch: {
      request: (deals) => ({
        method: 'POST',
        path: `/batch/${NEW_BATCHES.indexOf(deals)}`,
        body: deals,
      }),
      status: 200,
      read: (rows) => (rows as readonly Row[]).map(({ id }) => id),
    },
  };
  return { routes, tasks };
}

/** The statements of the service for the same requests. */
function readStatements({ context }: Visitor, ids: readonly string[]) {
  const { model, caller } = context;
  const deals = model.objects.get('deals') as ObjectModel;
  const page = { cursor: undefined, limit: 25 };
  const lists = SELECTIONS.map(({ stage, amount }) =>
    planList(model, caller, deals, {
      ...page,
      endpoint: 'list',
      query: recordQuery({
        where: {
          all: [
            { param: '', field: 'stage', op: 'eq', value: stage, text: true },
            { param: '', field: 'amount', op: 'gte', value: String(amount), text: true },
          ],
        },
        fields: FIELDS,
        sort: [{ param: '', field: 'close_date', direction: 'desc' }],
      }),
    }),
  );
  const totals = planAggregate(model, caller, deals, {
    ...page,
    query: recordQuery({}),
    group_by: ['stage'],
    metrics: [
      { name: 'deals', op: 'count' },
      { name: 'total', op: 'sum', field: 'amount' },
    ],
    order_by: undefined,
  });
  const [stage] = totals.groups as readonly [GroupColumn];
  const [count, sum] = totals.metrics as readonly [MetricColumn, MetricColumn];
  return {
    get: ids.map((id) => {
      const plan = planGet(model, caller, deals, { ids: [id], fields: FIELDS });
      return toStatement(readSql(plan));
    }),
    list: lists.map((plan) => toStatement(readSql(plan))),
    aggregate: toStatement(aggregateSql(totals)),
    aliases: { stage: stage.alias, count: count.alias, sum: sum.alias },
  };
}

/** Audit rows, search rows and records, one statement each; the floor answers the last. */
function insertStatements(deals: readonly Deal[], user: number): readonly Statement[] {
  const searched = deals.flatMap(({ name }) => searchRowsOfText('deals.name', name));
  return [
    {
      text: `insert into ${SCHEMA}._audit (user_id, object_type, record_id, action, changed_fields,
          source, request_id)
        select $1, 'deals', gen_random_uuid(), 'create', $2, 'api', $3
        from generate_series(1, $4::integer)`,
      values: [user, FIELDS, 'req_00000000', deals.length],
    },
    {
      text: `insert into ${SCHEMA}._search (record_id, source, place, text, reach_user_id,
          created_at, words)
        select gen_random_uuid(), 'deals.name', place, text, $4, now(), words::tsvector
        from unnest($1::smallint[], $2::text[], $3::text[]) as s (place, text, words)`,
      values: [...columnsOf(searched), user],
    },
    {
      text: `insert into ${SCHEMA}.deals (id, name, stage, amount, close_date, priority,
          owner_user_id, created_by_user_id)
        select gen_random_uuid(), d.*, $6, $6
        from unnest($1::text[], $2::text[], $3::numeric[], $4::date[], $5::text[]) as d
        returning id, name, stage, amount, close_date, priority`,
      values: [
        deals.map(({ name }) => name),
        deals.map(({ stage }) => stage),
        deals.map(({ amount }) => amount),
        deals.map(({ close_date }) => close_date),
        deals.map(({ priority }) => priority),
        user,
      ],
    },
  ];
}

/** Without the columns that the service selects in addition. */
function storedOf({ id, name, stage, amount, close_date, priority }: Row): StoredDeal {
  const date = new Date(close_date).toLocaleDateString('sv');
  return { id, name, stage, amount: Number(amount), close_date: date, priority };
}
