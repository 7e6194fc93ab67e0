// Moves that need approval, over HTTP: asked for, given, refused and withdrawn; who may, and what becomes of a request
// when the record, its people or the definition change (docs/design/approvals.md).

import { describe, expect, test, vi } from 'vitest';
import { hashOf } from '../../src/model/rights/api-key-form.ts';
import { guardKey } from '../access/canary.ts';
import { type Answer, type Client, openClient, refusalOf } from '../client.ts';
import { call } from '../http-client.ts';
import { ACME, ACME_CANARY, openWorldWith, type PersonName } from '../world.ts';
import { useCast } from './cast.ts';

const email = (name: string) => `${name}@acme.example`;

/** Deals above 1000 need Mia, or somebody of South; two of three sign contracts; both parties close them. */
const GATED = {
  ...ACME,
  objects: {
    ...ACME.objects,
    contracts: {
      name: 'Contracts',
      singular_name: 'Contract',
      display_field: 'title',
      workflow: 'contract',
      fields: { title: { type: 'text' }, hidden: { type: 'text' } },
    },
  },
  workflows: {
    pipeline: {
      ...ACME.workflows.pipeline,
      statuses: {
        ...ACME.workflows.pipeline.statuses,
        open: {
          name: 'Open',
          transitions: [
            'lost',
            {
              to: 'won',
              approvers: { users: [email('mia')], teams: ['South'] },
              when: { field: 'amount', op: 'gt', value: 1000 },
              expires_days: 7,
            },
          ],
        },
        lost: { name: 'Lost', transitions: ['open'] },
      },
    },
    contract: {
      name: 'Contract',
      initial: 'draft',
      statuses: {
        draft: {
          name: 'Draft',
          transitions: [
            {
              to: 'signed',
              approvers: { users: [email('ada'), email('mia'), email('sam')] },
              required: 2,
              self_approval: true,
            },
            { to: 'closed', approvers: { users: [email('ada')], teams: ['South'] }, from: 'each' },
          ],
        },
        signed: { name: 'Signed' },
        closed: { name: 'Closed' },
      },
    },
  },
  roles: {
    ...ACME.roles,
    rep: {
      ...ACME.roles.rep,
      objects: {
        ...ACME.roles.rep.objects,
        contracts: {
          ...{ create: 'organisation', read: 'organisation', update: 'organisation' },
          fields: { hidden: 'none' },
        },
      },
    },
    manager: {
      ...ACME.roles.manager,
      objects: {
        ...ACME.roles.manager.objects,
        contracts: { read: 'organisation', update: 'organisation' },
      },
    },
  },
};

const cast = useCast(() => openWorldWith(GATED));
const { deal, refused } = cast;

const rows = (text: string, values: readonly unknown[] = []) =>
  cast.world.database.rows(text.replaceAll(/(?<= )(?=_[a-z])/g, 'ws_acme.'), values);

const big = (client: Client = cast.rob) => deal(client, { amount: 5000 });

const contract = async (client: Client = cast.ada) => {
  const answer = await client.post('/objects/contracts/records', { fields: { title: 'Lease' } });
  return answer.body.data;
};

interface Named {
  readonly object_type: string;
  readonly id: string;
}

const ask = (client: Client, { object_type, id }: Named, status_id: string, comment?: string) =>
  client.post(`/objects/${object_type}/records/${id}/status_requests`, {
    status_id,
    ...(comment === undefined ? {} : { comment }),
  });

/** The request that a person has made. */
async function asked(client: Client, record: Named, status_id = 'won'): Promise<Answer['body']> {
  const answer = await ask(client, record, status_id);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

const decide = (client: Client, id: string, word: string, body: object = {}, headers = {}) =>
  client.post(`/status_requests/${id}/${word}`, body, headers);
const approve = (client: Client, id: string, body: object = {}) =>
  decide(client, id, 'approve', body);

const statusOf = async ({ object_type, id }: Named) =>
  (await cast.ada.get(`/objects/${object_type}/records/${id}`)).body.data.status;
const stateOf = async (id: string) =>
  (await cast.ada.get(`/status_requests/${id}`)).body.data.state;
const reasonOf = ({ body }: Answer) => body.error?.details?.reason;

const change = async ({ object_type, id }: Named, fields: object) => {
  const answer = await cast.ada.patch(`/objects/${object_type}/records/${id}`, { fields });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
};

/** Apply another definition and wait until the service has it. */
async function apply(name: string, document: object): Promise<void> {
  await cast.world.apply({ ...document, name });
  const known = async () => expect((await cast.ada.get('/me')).body.data.workspace.name).toBe(name);
  await vi.waitFor(known, { timeout: 60_000, interval: 20 });
}

describe('asking', () => {
  test('makes a request that everybody sees who may read the record', async () => {
    const record = await big();
    const answer = await ask(cast.rob, record, 'won', 'Signed on paper');
    expect(answer.status).toBe(201);
    const { data } = answer.body;
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...{ object_type: 'deals', record_id: record.id, display: 'Deal' },
      ...{ from_status: 'open', to_status: 'won', comment: 'Signed on paper', state: 'pending' },
      requested_by: { id: cast.world.users.rob, name: 'Rob' },
      requested_at: expect.any(String),
      expires_at: new Date(Date.parse(data.requested_at) + 7 * 86_400_000).toISOString(),
      ...{ decided_at: null, decisions: [], approvals: { given: 0, required: 1 } },
      ...{ can_decide: false, version: record.version, changed_fields: [] },
    });
    for (const [client, can_decide] of [
      [cast.rob, false],
      [cast.ada, false],
      [cast.mia, true],
    ] as const) {
      const seen = await client.get(`/status_requests/${data.id}`);
      expect(seen.body.data).toEqual({ ...data, can_decide });
    }
    for (const client of [cast.rae, cast.sam]) {
      const hidden = await client.get(`/status_requests/${data.id}`);
      expect(refusalOf(hidden)).toEqual([404, 'record_not_found', 'request_id']);
      expect((await client.get(`/status_requests?record_id=${record.id}`)).body.data).toEqual([]);
    }
    expect(await statusOf(record)).toBe('open');
  });

  test('needs a move that needs approval, and the right to make it', async () => {
    const [small, large] = [await deal(cast.rob, { amount: 10 }), await big()];
    const send = (client: Client, record: Named, status: string) => () =>
      ask(client, record, status);
    await refused(send(cast.rob, small, 'won'), [422, 'invalid_write', 'status_id']);
    expect(reasonOf(await ask(cast.rob, small, 'won'))).toBe('approval_not_required');
    expect(reasonOf(await ask(cast.mia, large, 'won'))).toBe('approval_not_required');
    await refused(send(cast.rob, large, 'open'), [422, 'invalid_write', 'status_id']);
    await refused(send(cast.rob, large, 'nothing'), [422, 'invalid_write', 'status_id']);
    await refused(send(cast.rae, large, 'won'), [404, 'record_not_found', 'record_id']);
    await refused(send(cast.rob, { ...large, id: 'x' }, 'won'), [404, 'record_not_found']);
    const reader = await cast.world.as('rob', { scopes: ['records:read'] });
    await refused(send(reader, large, 'won'), [403, 'insufficient_scope']);
    await refused(
      () => cast.rob.post(`/objects/deals/records/${large.id}/status_requests`, { x: 1 }),
      [400, 'validation_failed'],
    );
    const company = await cast.ada.post('/objects/companies/records', { fields: { name: 'C' } });
    await refused(send(cast.ada, company.body.data, 'won'), [422, 'invalid_write', 'status_id']);
  });

  test('and deciding need a comment of more than white space, or none', async () => {
    const record = await big();
    const refused = [400, 'validation_failed', 'comment'];
    expect(refusalOf(await ask(cast.rob, record, 'won', ' \u2003\n'))).toEqual(refused);
    const { id } = await asked(cast.rob, record);
    for (const word of ['approve', 'reject']) {
      expect(refusalOf(await decide(cast.mia, id, word, { comment: '\t ' }))).toEqual(refused);
    }
  });

  test('a refused move says that it can be asked for', async () => {
    const { id } = await big();
    const answer = await cast.rob.post(`/objects/deals/records/${id}/status`, { status_id: 'won' });
    expect(refusalOf(answer)).toEqual([422, 'invalid_write', 'status_id']);
    const { details } = answer.body.error;
    expect(details).toMatchObject({
      reason: 'approval_required',
      approval: { can_request: true },
    });
  });

  test('twice is a conflict that names the first one', async () => {
    const record = await big();
    const first = await asked(cast.rob, record);
    const again = await ask(cast.rob, record, 'won');
    expect(refusalOf(again)).toEqual([409, 'conflict', 'status_id']);
    expect(again.body.error.details.request_id).toBe(first.id);
    await decide(cast.rob, first.id, 'withdraw');
    expect((await asked(cast.rob, record)).id).not.toBe(first.id);
    const other = await big();
    const sent = await Promise.all(Array.from({ length: 4 }, () => ask(cast.rob, other, 'won')));
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  test('notifies the approvers who can read the record', async () => {
    const record = await big();
    const request = await asked(cast.rob, record);
    const told = await rows(
      `select u.name from _notifications n join _users u on u.id = n.user_id where n.record_id = $1`,
      [record.id],
    );
    expect(told).toEqual([{ name: 'Mia' }]);
    const seen = (await cast.mia.get('/notifications?unread=true&limit=100')).body.data.find(
      (one: { readonly record_id: string }) => one.record_id === record.id,
    );
    expect(seen).toEqual({
      ...{ id: expect.any(String), kind: 'approval_requested', object_type: 'deals' },
      ...{ record_id: record.id, comment_id: null },
      status_request: { id: request.id, from_status: 'open', to_status: 'won', state: 'pending' },
      author: { kind: 'user', id: cast.world.users.rob, name: 'Rob' },
      ...{ created_at: request.requested_at, read_at: null },
    });
    await approve(cast.mia, request.id);
    const [answered] = (await cast.rob.get('/notifications')).body.data;
    expect(answered).toMatchObject({
      kind: 'request_decided',
      status_request: { id: request.id, state: 'approved' },
      author: { name: 'Mia' },
    });
  });

  test('is read by those who decide, and by everybody when it is decided', async () => {
    const record = await contract();
    const { id } = await asked(cast.rob, record, 'signed');
    const unread = async () => {
      const found = await rows(
        `select u.name from _notifications n join _users u on u.id = n.user_id
          where n.record_id = $1 and n.read_at is null order by u.name`,
        [record.id],
      );
      return found.map(({ name }) => name);
    };
    expect(await unread()).toEqual(['Ada', 'Mia', 'Sam']);
    await approve(cast.ada, id);
    expect(await unread()).toEqual(['Mia', 'Sam']);
    await decide(cast.rob, id, 'withdraw');
    expect(await unread()).toEqual([]);
  });

  test('shows the beginning of the comment, and of that of the decision', async () => {
    const record = await big();
    const { body } = await ask(cast.rob, record, 'won', 'They called');
    const excerptOf = async (client: Client) => {
      const listed = await client.get('/notifications?include=excerpt&limit=100');
      const of = ({ record_id }: { readonly record_id: string }) => record_id === record.id;
      return listed.body.data.find(of).excerpt;
    };
    expect(await excerptOf(cast.mia)).toBe('They called');
    await decide(cast.mia, body.data.id, 'reject', { comment: 'Too dear' });
    expect(await excerptOf(cast.rob)).toBe('Too dear');
  });
});

describe('approving', () => {
  test('moves the record as the person who asked, in one transaction', async () => {
    const record = await big();
    const { id } = await asked(cast.rob, record);
    const answer = await approve(cast.mia, id, { comment: 'Well done' });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { data } = answer.body;
    expect(data).toMatchObject({ state: 'approved', approvals: { given: 1, required: 1 } });
    expect(data.decisions).toEqual([
      {
        ...{ decision: 'approved', comment: 'Well done', at: data.decided_at },
        user: { id: cast.world.users.mia, name: 'Mia' },
      },
    ]);
    const now = (await cast.ada.get(`/objects/deals/records/${record.id}`)).body.data;
    expect([now.status, now.version]).toEqual(['won', data.version]);
    expect((await cast.rob.get(`/status_requests/${id}`)).body.data).toEqual({
      ...data,
      can_decide: false,
    });
    const { rob, mia } = cast.world.users;
    const audit = await rows(
      `select action, user_id, requested_by, approved_by, status_request_id, revision,
        xmin::text as transaction from _audit where record_id = $1 and id > 0 order by id`,
      [record.id],
    );
    const of = { requested_by: rob, status_request_id: id };
    expect(audit.slice(1).map(({ transaction: _, ...row }) => row)).toEqual([
      { action: 'status_request', user_id: rob, ...of, approved_by: null, revision: null },
      { action: 'status', user_id: rob, ...of, approved_by: [mia], revision: 2 },
      { action: 'status_decision', user_id: mia, ...of, approved_by: null, revision: null },
    ]);
    expect(audit[2]?.transaction).toBe(audit[3]?.transaction);
    const shown = (await cast.ada.get(`/audit?record_id=${record.id}&action=status`)).body.data;
    expect(shown).toMatchObject([
      { requested_by: rob, approved_by: [mia], api_key: { prefix: cast.rob.secret.slice(0, 12) } },
    ]);
  });

  test('is for approvers who can read the record, and not for the person who asked', async () => {
    const by = (client: Client, id: string) => () => approve(client, id);
    // Mia and Sam are approvers and cannot read the deals of Ada.
    const hidden = await asked(cast.ada, await big(cast.ada));
    for (const client of [cast.mia, cast.sam]) {
      await refused(by(client, hidden.id), [404, 'record_not_found', 'request_id']);
    }
    const own = await asked(cast.sam, await contract(), 'closed');
    await refused(by(cast.sam, own.id), [403, 'permission_denied']);
    expect(reasonOf(await approve(cast.sam, own.id))).toBe('own_request');
    const { id } = await asked(cast.rob, await big());
    await refused(by(cast.ada, id), [403, 'permission_denied']);
    expect(reasonOf(await approve(cast.ada, id))).toBe('not_an_approver');
    await refused(() => decide(cast.ada, id, 'reject'), [403, 'permission_denied']);
    const narrow = await cast.world.as('mia', { scopes: ['records:read', 'records:write'] });
    await refused(by(narrow, id), [403, 'insufficient_scope']);
    for (const absent of ['01900000-0000-7000-8000-000000000000', 'x']) {
      await refused(by(cast.mia, absent), [404, 'record_not_found', 'request_id']);
    }
    expect(await stateOf(id)).toBe('pending');
  });

  test('of a changed record asks for the version that the approver has seen', async () => {
    const record = await big();
    const { id } = await asked(cast.rob, record);
    await change(record, { amount: 9000, secret: 'hidden' });
    const answer = await approve(cast.mia, id);
    expect(refusalOf(answer)).toEqual([409, 'conflict', 'expected_version']);
    expect(answer.body.error.details).toMatchObject({
      reason: 'record_changed',
      changed_fields: ['amount', 'secret'],
    });
    const seen = (await cast.rob.get(`/status_requests/${id}`)).body.data;
    expect(seen.changed_fields).toEqual(['amount']);
    const old = await approve(cast.mia, id, { expected_version: record.version });
    expect(reasonOf(old)).toBe('record_changed');
    const { version } = (await cast.mia.get(`/status_requests/${id}`)).body.data;
    expect((await approve(cast.mia, id, { expected_version: version })).status).toBe(200);
    expect(await statusOf(record)).toBe('won');
  });

  test('of a record that has moved since is refused, and the request stays', async () => {
    const record = await big();
    const { id } = await asked(cast.rob, record);
    await cast.rob.post(`/objects/deals/records/${record.id}/status`, { status_id: 'lost' });
    const { version } = (await cast.mia.get(`/status_requests/${id}`)).body.data;
    const answer = await approve(cast.mia, id, { expected_version: version });
    expect([answer.status, reasonOf(answer)]).toEqual([422, 'record_moved']);
    expect(await stateOf(id)).toBe('pending');
  });

  test('two approvers race: one move', async () => {
    const third = await cast.world.as('sam');
    for (let round = 0; round < 5; round += 1) {
      const record = await contract();
      const { id } = await asked(cast.rob, record, 'signed');
      const answers = await Promise.all([cast.ada, cast.mia, third].map((one) => approve(one, id)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409]);
      const moves = await rows(
        `select revision from _audit where record_id = $1 and action = 'status'`,
        [record.id],
      );
      expect(moves).toEqual([{ revision: 2 }]);
      const decisions = await rows(
        `select number from _status_decisions where request_id = $1 order by number`,
        [id],
      );
      expect(decisions).toEqual([{ number: 1 }, { number: 2 }]);
    }
  });

  test('counts to the number of the gate, each person once', async () => {
    const record = await contract();
    const { id } = await asked(cast.ada, record, 'signed');
    const first = await approve(cast.ada, id);
    expect(first.body.data).toMatchObject({
      ...{ state: 'pending', approvals: { given: 1, required: 2 }, decided_at: null },
    });
    expect(reasonOf(await approve(cast.ada, id))).toBe('already_decided');
    expect(await statusOf(record)).toBe('draft');
    expect((await approve(cast.mia, id)).body.data.state).toBe('approved');
    expect(await statusOf(record)).toBe('signed');
    const late = await approve(cast.sam, id);
    expect([late.status, reasonOf(late), late.body.error.details.state]).toEqual([
      ...[409, 'not_pending', 'approved'],
    ]);
  });

  test('needs one of each where the gate says so', async () => {
    const record = await contract(cast.rob);
    const { id } = await asked(cast.rob, record, 'closed');
    expect((await approve(cast.sam, id)).body.data.approvals).toEqual({ given: 1, required: 2 });
    expect((await approve(cast.ada, id)).body.data.state).toBe('approved');
    expect(await statusOf(record)).toBe('closed');
  });

  test('a single approver does not pass a gate that needs others', async () => {
    const { id } = await contract();
    const move = (client: Client, status_id: string) =>
      client.post(`/objects/contracts/records/${id}/status`, { status_id });
    for (const status of ['signed', 'closed']) {
      expect(reasonOf(await move(cast.ada, status))).toBe('approval_required');
    }
    const { body } = await cast.ada.get('/workflows/contract');
    const [signed, closed] = body.data.statuses[0].transitions;
    expect(signed).toMatchObject({
      can_approve: false,
      approval: { required: 2, from: 'any', conditional: false },
    });
    expect(closed).toMatchObject({ approval: { required: 1, from: 'each', conditional: false } });
    const deals = (await cast.rob.get('/workflows/pipeline')).body.data.statuses[0].transitions;
    expect(deals[1]).toMatchObject({ can_approve: false, approval: { conditional: true } });
  });
});

describe('the other ends of a request', () => {
  test('one approver rejects it', async () => {
    const record = await contract();
    const { id } = await asked(cast.rob, record, 'signed');
    await approve(cast.ada, id);
    const answer = await decide(cast.mia, id, 'reject', { comment: 'Too dear' });
    expect(answer.body.data).toMatchObject({ state: 'rejected' });
    expect(answer.body.data.decisions).toMatchObject([
      { decision: 'approved', user: { name: 'Ada' } },
      { decision: 'rejected', user: { name: 'Mia' }, comment: 'Too dear' },
    ]);
    expect(await statusOf(record)).toBe('draft');
    expect((await asked(cast.rob, record, 'signed')).state).toBe('pending');
  });

  test('a withdrawal has no body, or an empty object', async () => {
    const { id } = await asked(cast.rob, await big());
    const unknown = await decide(cast.rob, id, 'withdraw', { x: 1 });
    expect(refusalOf(unknown)).toEqual([400, 'validation_failed', 'x']);
    const { port } = cast.world;
    const broken = await call(port, `/v1/status_requests/${id}/withdraw`, {
      ...{ method: 'POST', key: cast.rob.secret, body: '{bad' },
      headers: { 'content-type': 'application/json' },
    });
    expect([broken.status, broken.json.error.code]).toEqual([400, 'invalid_json']);
    expect((await decide(cast.rob, id, 'withdraw', {})).status).toBe(200);
  });

  test('the person who asked withdraws it', async () => {
    const record = await big();
    const { id } = await asked(cast.rob, record);
    await refused(() => decide(cast.mia, id, 'withdraw'), [403, 'permission_denied']);
    expect((await decide(cast.rob, id, 'withdraw')).body.data.state).toBe('withdrawn');
    expect(reasonOf(await decide(cast.rob, id, 'withdraw'))).toBe('not_pending');
    expect(reasonOf(await approve(cast.mia, id))).toBe('not_pending');
  });

  test('it expires, at once for readers', async () => {
    const record = await big();
    const { id, expires_at } = await asked(cast.rob, record);
    const past = `update _status_requests set expires_at = now() - interval '1 second' where id = $1`;
    await rows(past, [id]);
    const seen = (await cast.rob.get(`/status_requests/${id}`)).body.data;
    expect(seen).toMatchObject({ state: 'expired', can_decide: false });
    expect(seen.decided_at).toBe(seen.expires_at);
    expect(seen.expires_at < expires_at).toBe(true);
    expect(reasonOf(await approve(cast.mia, id))).toBe('not_pending');
    const listed = async (state: string) =>
      (await cast.rob.get(`/status_requests?record_id=${record.id}&state=${state}`)).body.data
        .length;
    expect([await listed('pending'), await listed('expired')]).toEqual([0, 1]);
    // The next request takes its place.
    await asked(cast.rob, record);
    expect(await rows('select state from _status_requests where id = $1', [id])).toEqual([
      { state: 'expired' },
    ]);
  });

  test('it goes with its record', async () => {
    const record = await big();
    const { id } = await asked(cast.rob, record);
    await approve(cast.mia, (await asked(cast.rob, await big())).id);
    await cast.ada.delete(`/objects/deals/records/${record.id}`);
    expect(refusalOf(await approve(cast.mia, id))).toEqual([404, 'record_not_found', 'request_id']);
    for (const table of ['_status_requests', '_notifications']) {
      expect(await rows(`select 1 from ${table} where record_id = $1`, [record.id])).toEqual([]);
    }
  });
});

describe('changes while it waits', () => {
  test('a person who asked and may no longer move the record', async () => {
    const record = await big();
    const { id } = await asked(cast.rob, record);
    const give = (owner: PersonName) =>
      cast.ada.patch(`/objects/deals/records/${record.id}`, {
        fields: { owner_user_id: cast.world.users[owner] },
      });
    await give('rae');
    const { version: expected_version } = (await cast.mia.get(`/status_requests/${id}`)).body.data;
    const answer = await approve(cast.mia, id, { expected_version });
    expect([answer.status, answer.body.error.code, reasonOf(answer)]).toEqual([
      ...[422, 'invalid_write', 'move_refused'],
    ]);
    expect(answer.body.error.details.refusal.code).toBe('record_not_found');
    expect(refusalOf(await cast.rob.get(`/status_requests/${id}`))[0]).toBe(404);
    await give('rob');
    const again = (await cast.mia.get(`/status_requests/${id}`)).body.data.version;
    expect((await approve(cast.mia, id, { expected_version: again })).status).toBe(200);
  });

  test.each([
    ['was revoked', 'revoked_at = now()'],
    ['has expired', "expires_at = now() - interval '1 second'"],
  ])('a key that %s after it was used to ask', async (_, end) => {
    const key = await cast.world.as('rob');
    const record = await big(key);
    const { id } = await asked(key, record);
    await rows(
      `update workspace_records.api_keys set ${end} where prefix = $1 and secret_hash = $2`,
      [key.secret.slice(0, 12), hashOf(key.secret)],
    );
    const answer = await approve(cast.mia, id);
    expect([answer.status, reasonOf(answer)]).toEqual([422, 'move_refused']);
    expect(await stateOf(id)).toBe('pending');
  });
});

describe('four eyes', () => {
  const move = (client: Client, { id }: Named) =>
    client.post(`/objects/deals/records/${id}/status`, { status_id: 'won' });
  const item = ({ id }: Named) => ({ action: 'status', id, status_id: 'won' });

  test('an approver moves neither a record of their own nor one that they created', async () => {
    const owned = await deal(cast.ada, { amount: 5000, owner_user_id: cast.world.users.mia });
    const created = await deal(cast.mia, { amount: 5000, owner_user_id: cast.world.users.rob });
    for (const record of [owned, created]) {
      const direct = await move(cast.mia, record);
      expect([direct.status, reasonOf(direct)]).toEqual([422, 'approval_required']);
      const batch = { operations: [item(record)] };
      const together = await cast.mia.post('/objects/deals/records/batch', batch);
      expect(JSON.stringify(together.body)).toContain('approval_required');
      expect(await statusOf(record)).toBe('open');
      const request = await asked(cast.rob, record).catch(() => asked(cast.ada, record));
      const decided = await approve(cast.mia, request.id);
      expect([decided.status, reasonOf(decided)]).toEqual([403, 'own_record']);
      expect((await cast.mia.get(`/status_requests/${request.id}`)).body.data.can_decide).toBe(
        false,
      );
      const { data } = (await cast.mia.get('/status_requests?approver=me')).body;
      expect(data.map(({ id }: Named) => id)).not.toContain(request.id);
      // Another approver decides.
      expect((await cast.ada.get(`/status_requests/${request.id}`)).body.data.state).toBe(
        'pending',
      );
    }
  });

  test('an approver moves the records of others, and small ones of their own', async () => {
    expect((await move(cast.mia, await big())).status).toBe(200);
    expect((await move(cast.mia, await deal(cast.mia, { amount: 10 }))).status).toBe(200);
  });
});

describe('keys', () => {
  const limited = async (name: PersonName) => {
    const made = await cast.ada.post('/keys', {
      ...{ name: 'agent of a person', user_id: cast.world.users[name], gates: false },
      scopes: ['records:read', 'records:write', 'approvals:write', 'keys:write'],
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(made.body.data.gates).toBe(false);
    const { secret } = made.body.data;
    guardKey(secret, ACME_CANARY);
    return openClient({ port: cast.world.port, secret });
  };

  test('without gates neither move nor approve, and ask', async () => {
    const agent = await limited('ada');
    const record = await contract();
    const { id } = await asked(cast.rob, record, 'signed');
    await refused(() => approve(agent, id), [403, 'permission_denied']);
    expect(reasonOf(await approve(agent, id))).toBe('key_without_gates');
    expect(reasonOf(await decide(agent, id, 'reject'))).toBe('key_without_gates');
    expect((await agent.get(`/status_requests/${id}`)).body.data.can_decide).toBe(false);
    const of = await limited('mia');
    const mine = await big();
    const move = (client: Client) =>
      client.post(`/objects/deals/records/${mine.id}/status`, { status_id: 'won' });
    const { status, body } = await move(of);
    expect([status, body.error.code, body.error.details.reason]).toEqual([
      ...[422, 'invalid_write', 'approval_required'],
    ]);
    expect(body.error.details.approval).toEqual({ can_request: true });
    expect((await ask(of, mine, 'won')).status).toBe(201);
    const where = { field: 'id', op: 'eq', value: mine.id };
    const bulk = await of.post('/objects/deals/records/bulk', {
      ...{ where, action: 'status', status_id: 'won', expected_count: 1 },
    });
    expect(bulk.status).toBe(202);
    const [{ input }] = (await rows(`select input from workspace_records.jobs where id = $1`, [
      bulk.body.data.id,
    ])) as [{ input: { gates?: boolean } }];
    expect(input.gates).toBe(false);
    expect((await move(cast.mia)).status).toBe(200);
  });

  test('without gates create none with gates', async () => {
    const agent = await limited('ada');
    const wanted = { name: 'wider', scopes: ['records:read'] };
    const wide = await agent.post('/keys', { ...wanted, gates: true });
    expect(refusalOf(wide)).toEqual([403, 'permission_denied', 'gates']);
    expect((await agent.post('/keys', wanted)).body.data.gates).toBe(false);
    const bot = await cast.ada.post('/keys', { ...wanted, user_id: cast.world.users.bot });
    expect(bot.body.data.gates).toBe(false);
    expect((await cast.ada.post('/keys', wanted)).body.data.gates).toBe(true);
  });
});

describe('an Idempotency-Key', () => {
  test('asks, approves, rejects and withdraws once', async () => {
    const headers = (key: string) => ({ 'idempotency-key': key });
    const record = await big();
    const path = `/objects/deals/records/${record.id}/status_requests`;
    const once = () => cast.rob.post(path, { status_id: 'won' }, headers('ask'));
    const [first, again] = [await once(), await once()];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const { id } = first.body.data;
    const given = () => decide(cast.mia, id, 'approve', {}, headers('approve'));
    const [one, two] = [await given(), await given()];
    expect([one.status, two.status, two.body]).toEqual([200, 200, one.body]);
    const reused = await decide(cast.mia, id, 'approve', { comment: 'x' }, headers('approve'));
    expect(refusalOf(reused).slice(0, 2)).toEqual([422, 'idempotency_key_reused']);
    // A stored answer is not shown to somebody who can no longer read the record.
    await change(record, { owner_user_id: cast.world.users.sam });
    expect((await given()).status).toBe(404);
    const rejected = await asked(cast.rob, await big());
    const refuse = () => decide(cast.mia, rejected.id, 'reject', {}, headers('reject'));
    expect([(await refuse()).status, (await refuse()).status]).toEqual([200, 200]);
    const withdrawn = await asked(cast.rob, await big());
    const back = () => decide(cast.rob, withdrawn.id, 'withdraw', {}, headers('withdraw'));
    expect([(await back()).status, (await back()).status]).toEqual([200, 200]);
  });
});

describe('the list', () => {
  test('pages, and says what waits for whom', async () => {
    const records = await Promise.all([big(), big(), big()]);
    const requests: string[] = [];
    for (const record of records) requests.push((await asked(cast.rob, record)).id);
    const idsOf = async (client: Client, query: string): Promise<readonly string[]> =>
      (await client.get(`/status_requests?limit=100${query}`)).body.data.map(
        ({ id }: { readonly id: string }) => id,
      );
    const newest = requests.toReversed();
    expect((await idsOf(cast.mia, '&approver=me')).slice(0, 3)).toEqual(newest);
    expect((await idsOf(cast.rob, '&requested_by=me')).slice(0, 3)).toEqual(newest);
    expect(await idsOf(cast.rob, '&approver=me')).toEqual([]);
    expect(await idsOf(cast.rae, '')).not.toContain(requests[0]);
    expect(await idsOf(cast.mia, '&object_type=contracts&approver=me')).not.toContain(requests[0]);
    const first = (await cast.mia.get('/status_requests?limit=2&approver=me')).body;
    expect(first.pagination.has_more).toBe(true);
    const cursor = encodeURIComponent(first.pagination.next_cursor);
    const second = await cast.mia.get(`/status_requests?limit=2&approver=me&cursor=${cursor}`);
    expect(second.body.data[0].id).toBe(requests[0]);
    const other = await cast.mia.get(`/status_requests?limit=2&cursor=${cursor}`);
    expect(refusalOf(other)).toEqual([400, 'invalid_cursor', 'cursor']);
    expect(refusalOf(await cast.mia.get('/status_requests?object_type=nothing'))).toEqual([
      ...[404, 'object_not_available', 'object_type'],
    ]);
    expect((await cast.mia.get('/status_requests?state=done')).status).toBe(400);
    await approve(cast.mia, String(requests[2]));
    expect(await idsOf(cast.mia, '&approver=me')).not.toContain(requests[2]);
    expect(await idsOf(cast.mia, '&approver=me&state=approved')).not.toContain(requests[2]);
    expect(await idsOf(cast.mia, '&state=approved')).toContain(requests[2]);
  });
});

describe('events', () => {
  test('carry requests and decisions to those who may read the record', async () => {
    const start = (await cast.mia.get('/changes')).body.pagination.next_cursor;
    const other = (await cast.rae.get('/changes')).body.pagination.next_cursor;
    const record = await big();
    const { id } = await asked(cast.rob, record);
    await approve(cast.mia, id);
    const of = async (client: Client, cursor: string) =>
      (await client.get(`/changes?cursor=${encodeURIComponent(cursor)}`)).body.data.map(
        ({ type }: { readonly type: string }) => type,
      );
    expect(await of(cast.mia, start)).toEqual([
      ...['record.created', 'status_request.created', 'record.status_changed'],
      'status_request.decided',
    ]);
    expect(await of(cast.rae, other)).toEqual([]);
    const { body } = await cast.mia.get(
      `/changes?cursor=${encodeURIComponent(start)}&type=status_request.created`,
    );
    expect(body.data).toEqual([
      {
        ...{ type: 'status_request.created', id: expect.any(String) },
        ...{ object_type: 'deals', record_id: record.id },
        status_request: {
          ...{ id, from_status: 'open', to_status: 'won', state: 'approved' },
          requested_by: { id: cast.world.users.rob },
        },
        ...{ user: { id: cast.world.users.rob }, source: 'api', batch_id: null },
        occurred_at: expect.any(String),
      },
    ]);
  });
});

describe('another definition', () => {
  test('the statuses and fields of a request follow renames, and the gate of the moment decides', async () => {
    const [first, second] = [await big(), await big()];
    const [one, two] = [await asked(cast.rob, first), await asked(cast.rob, second)];
    const { amount, ...fields } = GATED.objects.deals.fields;
    const { open, won, lost } = GATED.workflows.pipeline.statuses;
    const documentOf = (worth: object, statuses: object) => ({
      ...GATED,
      objects: {
        ...GATED.objects,
        deals: { ...GATED.objects.deals, fields: { ...fields, worth } },
      },
      workflows: { ...GATED.workflows, pipeline: { ...GATED.workflows.pipeline, statuses } },
    });
    const gate = {
      to: 'gained',
      approvers: { users: [email('ada')] },
      // The document still has the former key of the field.
      when: { field: 'amount', op: 'gt', value: 1000 },
    };
    await apply(
      'Renamed',
      documentOf(
        { ...amount, renamed_from: 'amount' },
        {
          open: { ...open, transitions: ['lost', gate] },
          gained: { ...won, renamed_from: 'won' },
          lost,
        },
      ),
    );
    const seen = (await cast.ada.get(`/status_requests/${one.id}`)).body.data;
    expect(seen).toMatchObject({ to_status: 'gained', can_decide: true, state: 'pending' });
    // Mia was an approver when it was asked for.
    expect(reasonOf(await approve(cast.mia, one.id))).toBe('not_an_approver');
    expect((await approve(cast.ada, one.id)).status).toBe(200);
    expect(await statusOf(first)).toBe('gained');
    const free = { open: { ...open, transitions: ['lost', 'gained'] }, gained: won, lost };
    await apply('Free', documentOf(amount, free));
    const gone = await approve(cast.ada, two.id);
    expect([gone.status, reasonOf(gone)]).toEqual([422, 'gate_gone']);
    expect((await decide(cast.rob, two.id, 'withdraw')).status).toBe(200);
  });
});
