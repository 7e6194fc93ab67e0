// The workspace of an upgrade artefact: its definition, requests that leave something in every table that a workspace has,
// and the questions whose answers a later release must still give.

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of several routes
  readonly body: any;
}

/** As a person: `ada`, an administrator, or `mia`, who approves. */
export type Ask = (person: Person, method: string, path: string, body?: unknown) => Promise<Answer>;
export type Person = keyof typeof PEOPLE;

export const PEOPLE = { ada: 'ada@upgrade.example', mia: 'mia@upgrade.example' } as const;

const COLOURS = [{ value: 'red', label: 'Red' }, { value: 'blue' }];

export const DEFINITION = {
  name: 'Upgrade',
  objects: {
    companies: {
      fields: {
        tier: { type: 'select', options: COLOURS, indexed: true },
        deals_count: {
          type: 'rollup',
          rollup: { reference: { object_type: 'deals', field: 'company_id' }, op: 'count' },
        },
      },
    },
    deals: {
      workflow: 'pipeline',
      history: { keep: 'forever' },
      trash: { keep: '9999d' },
      fields: {
        code: { type: 'text', unique: true },
        amount: { type: 'currency', currency: 'EUR', indexed: true },
        papers: { type: 'file', multiple: true },
      },
    },
    samples: {
      name: 'Samples',
      singular_name: 'Sample',
      display_field: 'label',
      trash: { keep: '9999d' },
      fields: {
        twice: { type: 'formula', expression: 'a_number * 2', result_type: 'number' },
        label: { type: 'text', searchable: true },
        ...{ a_long_text: { type: 'long_text' }, an_email: { type: 'email' } },
        ...{ a_phone: { type: 'phone' }, a_url: { type: 'url' }, a_number: { type: 'number' } },
        ...{ an_integer: { type: 'integer' }, a_percent: { type: 'percent' } },
        ...{ a_boolean: { type: 'boolean' }, a_date: { type: 'date' } },
        ...{ a_datetime: { type: 'datetime' }, a_json: { type: 'json' } },
        a_multi_select: { type: 'multi_select', options: COLOURS },
        a_user: { type: 'user' },
        a_reference: { type: 'reference', reference_object_type: 'companies' },
        a_note: { type: 'text', storage: 'jsonb' },
      },
    },
  },
  relationships: {
    friends: {
      ...{ name: 'Friends', kind: 'link', from: 'companies', to: 'companies' },
      cardinality: 'many_to_many',
    },
  },
  workflows: {
    pipeline: {
      name: 'Pipeline',
      initial: 'open',
      statuses: {
        open: {
          name: 'Open',
          transitions: ['lost', { to: 'won', approvers: { users: [PEOPLE.mia] } }],
        },
        won: { name: 'Won' },
        lost: { name: 'Lost', transitions: ['open'] },
      },
    },
  },
  work_item_types: { task: { name: 'Task', prefix: 'TASK', workflow: 'pipeline' } },
  users: {
    [PEOPLE.ada]: { name: 'Ada', roles: ['admin'] },
    [PEOPLE.mia]: { name: 'Mia', roles: ['admin'] },
  },
  teams: { North: { members: [PEOPLE.mia] } },
};

const VALUES = {
  ...{ a_long_text: 'line\nwith "quotes" and \\ ÅÉ 😀', an_email: 'x@upgrade.example' },
  ...{ a_phone: '+49 30 1234567', a_url: 'https://upgrade.example/x', a_number: 123456.25 },
  ...{ an_integer: -7, a_percent: 12.5, a_boolean: false, a_date: '2026-11-26' },
  ...{ a_datetime: '2026-11-26T10:00:00.123Z', a_json: { a: [null, 1.5, 'x'] } },
  ...{ a_multi_select: ['blue', 'red'], custom_fields: { a_note: 'stored as JSON' } },
};

/** Fill a new workspace; the questions about it. */
export async function fillUpgradeWorld(ask: Ask): Promise<readonly string[]> {
  const maker = openMaker(ask);
  const { user } = (await ask('mia', 'GET', '/me')).body.data;
  const [one, two] = [
    await maker.record('companies', { name: 'One', tier: 'red' }),
    await maker.record('companies', { name: 'Two', tier: 'blue' }),
  ];
  const friends = `/objects/companies/records/${one}/relationships/link.friends`;
  await maker.made('ada', friends, { target_id: two });
  const values = { label: 'Sample', ...VALUES, a_user: user.id, a_reference: one };
  const sample = await maker.record('samples', values);
  const other = await maker.record('samples', { label: 'Other' });
  const { version } = await maker.made(
    'ada',
    `/objects/samples/records/${other}`,
    undefined,
    'GET',
  );
  const merge = { from: [{ id: other, expected_version: version }] };
  await maker.made('ada', `/objects/samples/records/${sample}/merge`, merge);
  const task = await maker.record('work_items', { title: 'Task', work_item_type_id: 'task' });
  const { place, request } = await makeDeals(maker, { one, two, mia: user.id });
  await makeViews(maker);
  const hook = { url: 'https://hooks.upgrade.example/x', events: ['record.*'] };
  await maker.made('ada', '/webhooks', hook);
  const settings = { time_zone: 'Europe/Berlin' };
  await maker.made('mia', '/me/notification_settings', settings, 'PATCH');

  return [
    ...['companies', 'samples', 'work_items', 'deals'].map(
      (object) => `/objects/${object}/records?limit=100&sort=created_at`,
    ),
    ...[place, `/objects/companies/records/${one}`, `/objects/companies/records/${two}`],
    ...[`/objects/samples/records/${sample}`, `/objects/work_items/records/${task}`],
    '/objects/samples',
    ...[`${place}/history`, `${place}/comments`, `${place}/relationships`, `${place}/follow`],
    ...[
      friends,
      '/objects/deals/deleted',
      '/objects/samples/deleted',
      '/status_requests',
      `/status_requests/${request}`,
    ],
    ...['/views?object_type=deals', '/dashboards', '/webhooks', '/notifications'],
    ...['/users', '/teams', '/roles', '/me/notification_settings', '/search?q=sample'],
  ];
}

interface Maker {
  /** The `data` of an answer, by POST unless another method is named. Errors: that of an answer of 300 or more. */
  made(person: Person, path: string, body: unknown, method?: string): Promise<Answer['body']>;
  /** The id of a new record. */
  record(object: string, fields: object): Promise<string>;
}

function openMaker(ask: Ask): Maker {
  const made: Maker['made'] = async (person, path, body, method = 'POST') => {
    const answer = await ask(person, method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body?.data;
  };
  return {
    made,
    record: async (object, fields) =>
      (await made('ada', `/objects/${object}/records`, { fields })).id,
  };
}

interface Made {
  /** Ids of companies. */
  readonly one: string;
  readonly two: string;
  readonly mia: number;
}

/** A deal with everything that is kept beside a record, one with an approval, and one in the trash. */
async function makeDeals({ made, record }: Maker, { one, two, mia }: Made) {
  const papers = await made('ada', '/files?purpose=field&name=paper.txt', Buffer.from('A paper.'));
  const deal = await record('deals', {
    ...{ name: 'Deal', code: 'C-1', amount: 10.5, company_id: one, papers: [papers.id] },
  });
  const place = `/objects/deals/records/${deal}`;
  await made('ada', place, { fields: { amount: 11, code: 'C-2' } }, 'PATCH');
  await made('mia', `${place}/follow`, undefined, 'PUT');
  await made('ada', `${place}/comments`, { body: 'Look', mention_user_ids: [mia] });
  await made('ada', `${place}/status_requests`, { status_id: 'won', comment: 'Please' });
  const decided = await record('deals', { name: 'Decided' });
  const asked = { status_id: 'won' };
  const { id } = await made('ada', `/objects/deals/records/${decided}/status_requests`, asked);
  await made('mia', `/status_requests/${id}/approve`, {});
  const gone = await record('deals', { name: 'Gone', company_id: two });
  await made('ada', `/objects/deals/records/${gone}`, undefined, 'DELETE');
  return { place, request: String(id) };
}

async function makeViews({ made }: Maker): Promise<void> {
  const report = await made('mia', '/views', {
    ...{ object_type: 'deals', name: 'Report', kind: 'report', chart: 'bars' },
    query: { group_by: ['status'], metrics: [{ name: 'deals', op: 'count' }] },
  });
  const table = { object_type: 'deals', name: 'Table', kind: 'table', query: {} };
  const view_ids = [(await made('mia', '/views', table)).id, report.id];
  await made('mia', '/views/order', { object_type: 'deals', view_ids }, 'PUT');
  await made('mia', '/dashboards', { name: 'Board', tiles: [{ view_id: report.id, width: 1 }] });
}
