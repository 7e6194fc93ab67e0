// Calls of the client with the types of the workspace `acme`: compiled, each line is checked against them; run, the
// values have these types. A line under `@ts-expect-error` must not compile.

import {
  type Client,
  createClient,
  isRecordsError,
  whereOf,
} from '../../packages/client/src/index.ts';
import type { Objects } from '../data/acme.d.ts';

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(isSame: Equal<A, B>) => isSame;

export async function useObjects(client: Client<Objects>) {
  const deals = client.records('deals');
  const companies = client.records('companies');
  const company = await companies.create({ name: 'Acme', custom_fields: { note: 'Good' } });
  const deal = await deals.create({ name: 'Typed', amount: 5, tags: ['hot'] });
  await deals.update(deal.id, { amount: null, company_id: company.id }, { version: deal.version });
  await deals.update(deal.id, { amount: 5 });
  const listed = await deals.list({
    filters: { amount: { gte: 1 }, status: { in: ['open', 'won'] }, tags: 'hot', company_id: null },
    fields: ['amount', 'tags'],
    sort: ['-amount', 'name'],
  });
  const some = listed.data[0]?.fields ?? (await firstOf(client, company.id));
  const [custom] = (await companies.list({ fields: ['name', 'note'] })).data;
  const { fields } = await deals.get(deal.id);
  const keys = [
    same<typeof fields.amount, number | null>(true),
    same<typeof fields.status, 'open' | 'won' | 'lost'>(true),
    same<typeof fields.tags, ('new' | 'hot')[] | null>(true),
    same<keyof typeof some, 'amount' | 'tags'>(true),
  ];
  const { all, any, not, field } = whereOf<Objects['deals']>();
  const where = all(
    any(field('amount').between(1, 10), field('status').in(['won', 'lost'])),
    not(field('name').contains('other')),
    field('created_at').gte({ relative: '-1d' }),
    field('company_id.name').startsWith('Acm'),
    field('tags').hasAny(['hot']),
    field('owner_user_id').eq({ me: true }),
    field('closes_on').isNull(),
  );
  const asked = await deals.query({ where, count: 'exact' });
  return {
    asked: asked.count?.value,
    selected: some,
    custom: custom?.fields,
    status: fields.status,
    keys: keys.every((isSame) => isSame),
  };
}

async function firstOf(client: Client<Objects>, company_id: string) {
  const filters = { company_id };
  for await (const { fields } of client
    .records('deals')
    .all({ filters, fields: ['amount', 'tags'] })) {
    return fields;
  }
  throw new Error('there is no deal');
}

/** Never run. */
export async function mustNotCompile(client: Client<Objects>): Promise<void> {
  const deals = client.records('deals');
  // @ts-expect-error there is no such object
  client.records('dealz');
  // @ts-expect-error the name is needed
  await deals.create({ amount: 1 });
  // @ts-expect-error the field is read-only
  await deals.create({ name: 'x', origin: 'y' });
  // @ts-expect-error a status is not written
  await deals.update('id', { status: 'won' });
  // @ts-expect-error there is no such status
  await deals.status('id', 'gone');
  // @ts-expect-error there is no such option
  await deals.create({ name: 'x', tags: ['cold'] });
  // @ts-expect-error there is no such field
  await deals.list({ filters: { colour: 'red' } });
  // @ts-expect-error the field is a number
  await deals.list({ filters: { amount: { gte: 'much' } } });
  // @ts-expect-error there is no such operator
  await deals.list({ filters: { amount: { above: 1 } } });
  // @ts-expect-error there is no such field
  await deals.list({ fields: ['colour'] });
  // @ts-expect-error fields of storage jsonb cannot be sorted by
  await client.records('companies').list({ sort: ['note'] });
  // @ts-expect-error fields were not asked for
  String((await deals.list()).data[0]?.fields);
  // @ts-expect-error this field was not asked for
  String((await deals.list({ fields: ['name'] })).data[0]?.fields.amount);
  const { field } = whereOf<Objects['deals']>();
  // @ts-expect-error there is no such field
  field('amuont');
  // @ts-expect-error a number has no parts
  field('amount').contains('1');
  // @ts-expect-error the field is a number
  field('amount').gte('much');
  // @ts-expect-error there is no such option
  field('tags').hasAll(['cold']);
  // @ts-expect-error there is no such status
  field('status').eq('gone');
  // @ts-expect-error a company has no such field
  field('company_id.colour');
  // @ts-expect-error a name is no reference
  field('name.name');
  // @ts-expect-error the name is needed
  await deals.batch([{ action: 'create', fields: {} }]);
  // @ts-expect-error there is no such action
  await deals.batch([{ action: 'destroy', id: 'x' }]);
  // @ts-expect-error there is no such code
  isRecordsError(undefined, 'not_a_code');
  // @ts-expect-error metrics are needed
  await deals.aggregate({});
}

/** Never run: objects of unknown types, and objects described by hand. */
export async function mustCompile(): Promise<void> {
  const client = createClient({ baseUrl: 'https://records.example.com/v1', apiKey: 'key' });
  const [record] = (await client.records('anything').list({ fields: ['a', 'b'] })).data;
  same<typeof record extends { fields: { a: unknown; b: unknown } } | undefined ? 1 : 2, 1>(true);
  await client.records('anything').create({ whatever: 1 });
  const deals = client.records<{ name: string; amount: number | null }>('deals');
  const { fields } = await deals.get('id');
  same<typeof fields, { name: string; amount: number | null }>(true);
  // @ts-expect-error the field is a number
  await deals.create({ name: 'x', amount: 'much' });
  try {
    await deals.delete('id');
  } catch (error) {
    if (isRecordsError(error, 'conflict')) same<typeof error.code, 'conflict'>(true);
    else if (isRecordsError(error)) same<typeof error.status, number>(true);
  }
  for await (const event of client.events.stream()) {
    if (event.event === 'comment.created') same<typeof event.data.comment.body, string>(true);
  }
}
