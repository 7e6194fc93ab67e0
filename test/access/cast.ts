// Everybody and everything the access matrix needs: the running service, a second workspace with
// the same definition, records of each person, of a team mate and of a stranger, and keys with any
// set of scopes.

import { createHash } from 'node:crypto';
import http from 'node:http';
import { pino } from 'pino';
import { uuidv7 } from 'uuidv7';
import { assembleService } from '../../src/cli/service/assemble.ts';
import { readConfig } from '../../src/config.ts';
import type { WorkspaceRow } from '../../src/control/workspace/workspaces.ts';
import type { WriteOperation } from '../../src/plan/write/write-operation.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { migrate } from '../../src/workspaces/migrations.ts';
import { type Answer, call, type Request } from '../http-client.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';
import { digestOf, makeKey, makeSession } from '../world.ts';
import { CANARY } from './canary.ts';
import {
  BYSTANDERS,
  documentOf,
  emailOf,
  linkId,
  PERSONAS,
  type Persona,
  SUBJECTS,
  type Subject,
} from './definition.ts';
import type { Kind, Scope } from './oracle.ts';
import { openSeeding, type Seeding } from './seeding.ts';

/** A record and the values of its guarded fields. */
export interface Placed {
  readonly id: string;
  readonly title: string;
  readonly probe: string;
  readonly rank: number;
}

export interface Wanted {
  readonly subject: Subject;
  readonly owner: string;
}

export interface Cast {
  readonly own: OwnDatabase;
  readonly port: number;
  /** Ids of users by name. */
  readonly users: ReadonlyMap<string, number>;
  /** Ids of the places: one that all records refer to, one of `near`. */
  readonly places: { readonly shared: string; readonly near: string; readonly foreign: string };
  call(path: string, request: Request): Promise<Answer>;
  /** The secret of a key; made once for each person and set of scopes. */
  key(person: string, scopes: readonly Scope[]): Promise<string>;
  /** A session of a person. */
  session(person: string): Promise<{ readonly token: string; readonly cookie: string }>;
  /** The credential of an administrator who views as a person, each in a session of its own. */
  viewing(person: string): Promise<Pick<Request, 'headers' | 'owner'>>;
  /** The record of this kind for this person; of `absent` only an id. */
  record(subject: Subject, kind: Kind, person: Persona): Placed;
  /** The records of a subject by the name of the owner; no test changes them. */
  records(subject: Subject): ReadonlyMap<string, Placed>;
  /** Make somebody the owner of a deal. */
  giveDeal(id: string, owner: string): Promise<void>;
  /** New records to be changed, in the order of the request. */
  fresh(wanted: readonly Wanted[]): Promise<readonly Placed[]>;
  /** Change both workspaces are seen in: an equal digest means no change. */
  digest(): Promise<string>;
  close(): Promise<void>;
}

/** No two words are similar enough to match each other, and each shows its owner. */
export function wordOf(prefix: string, text: string): string {
  const digest = createHash('sha256').update(text).digest();
  return prefix + [...digest.subarray(0, 12)].map((byte) => LETTERS[byte % 20]).join('');
}

const LETTERS = 'bcdfghjklmnprstvwxyz';
// Long enough that cursors and ids do not have them by chance.
/** Begins every value of a guarded text field. */
export const GUARDED_WORD = 'zqxwvk';
/** Begins the title of every record of a stranger, and of a team mate. */
export const FOREIGN_WORD = 'frqwvk';
export const MATE_WORD = 'mtqwvk';

const PREFIXES: Readonly<Record<string, string>> = {
  mate: MATE_WORD,
  stranger: FOREIGN_WORD,
  outsider: FOREIGN_WORD,
};

const ACME = 'matrix';
const SHADOW = 'globex';

export async function openCast(): Promise<Cast> {
  const own = await createOwnDatabase();
  const { db, rows } = own;
  await migrate(db);
  const workspace = await createWorkspace(db, { slug: ACME, document: documentOf() });
  await createWorkspace(db, { slug: SHADOW, document: documentOf(CANARY) });
  const admin = emailOf('admin');
  const seeding = await openSeeding(db, ACME, admin);
  const people = await rows(`select id, email from ${workspace.schema}._users`);
  const users = new Map(people.map(({ id, email }) => [String(email).split('@')[0] ?? '', +id!]));
  const places = await makePlaces(seeding, users);
  const writing = { own, seeding, users, place: places.shared };
  const records = await makeRecords(writing);
  const shadow = await makeShadow(await openSeeding(db, SHADOW, admin));
  const server = await assembleService({
    ...own,
    config: readConfig({}),
    logger: pino({ level: 'silent' }),
  });
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
  let made = 0;
  return {
    ...{ own, port, users, places },
    call: (path, request) => call(port, `/v1${path}`, { ...request, agent }),
    key: keyRing(own, workspace),
    session: sessionRing(own, workspace),
    viewing: viewingRing({ own, workspace, port, users }),
    records: ({ type }) => records.get(type) as ReadonlyMap<string, Placed>,
    record(subject, kind, { name }) {
      if (kind === 'absent') return nobodys(uuidv7());
      if (kind === 'malformed') return nobodys("no-uuid' or 1=1");
      if (kind === 'other_workspace') return shadow.get(subject.type) as Placed;
      const owner = kind === 'mine' ? name : kind === 'mate' ? 'mate' : 'stranger';
      return records.get(subject.type)?.get(owner) as Placed;
    },
    async fresh(wanted) {
      const placed = new Map<Wanted, Placed>();
      for (const subject of SUBJECTS) {
        const these = wanted.filter((one) => one.subject === subject);
        const named = these.map(({ owner }, index) => ({ owner, name: `fresh ${made + index}` }));
        const written = await writeAll(writing, subject, named);
        for (const [index, one] of these.entries()) placed.set(one, written[index] as Placed);
        made += these.length;
      }
      return wanted.map((one) => placed.get(one) as Placed);
    },
    giveDeal: (id, owner) =>
      giveAway(own, SUBJECTS[0] as Subject, { ids: [id], whose: [users.get(owner)] }),
    digest: () => digestOf(own, [`ws_${ACME}`, `ws_${SHADOW}`]),
    async close() {
      agent.destroy();
      await server.close();
      await own.drop();
    },
  };
}

function keyRing(own: OwnDatabase, workspace: WorkspaceRow) {
  const keys = new Map<string, Promise<string>>();
  return (person: string, scopes: readonly Scope[]): Promise<string> => {
    const name = `${person} ${scopes.join()}`;
    const options = { scopes, requestsPerMinute: 1_000_000_000 };
    const known =
      keys.get(name) ??
      makeKey(own, workspace, emailOf(person), options).then(({ secret }) => secret);
    keys.set(name, known);
    return known;
  };
}

/** A session has a limit of requests in a minute: each is used for a part of them. */
const USES = 1000;

function sessionRing(own: OwnDatabase, workspace: WorkspaceRow) {
  const uses = new Map<string, number>();
  const sessions = new Map<string, ReturnType<typeof makeSession>>();
  return (person: string): ReturnType<typeof makeSession> => {
    const used = uses.get(person) ?? 0;
    uses.set(person, used + 1);
    const known = used % USES === 0 ? undefined : sessions.get(person);
    const session = known ?? makeSession(own, workspace, emailOf(person));
    sessions.set(person, session);
    return session;
  };
}

interface ViewingRing {
  readonly own: OwnDatabase;
  readonly workspace: WorkspaceRow;
  readonly port: number;
  readonly users: ReadonlyMap<string, number>;
}

/** The service refuses to begin as an inactive person; requests then have the header alone. */
function viewingRing({ own, workspace, port, users }: ViewingRing) {
  const known = new Map<string, Promise<Pick<Request, 'headers' | 'owner'>>>();
  const begin = async (person: string) => {
    const { cookie, token } = await makeSession(own, workspace, emailOf('admin'));
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    const user_id = users.get(person);
    await call(port, '/v1/viewing', { method: 'POST', body: { user_id }, headers, owner: token });
    return { headers: { ...headers, 'x-view-as': String(user_id) }, owner: token };
  };
  return (person: string) => {
    const viewing = known.get(person) ?? begin(person);
    known.set(person, viewing);
    return viewing;
  };
}

function nobodys(id: string): Placed {
  return { id, title: 'None', probe: wordOf('nbq', uuidv7()), rank: 0 };
}

async function makePlaces({ write }: Seeding, users: ReadonlyMap<string, number>) {
  const create = (title: string, owner: string): WriteOperation => {
    return { action: 'create', fields: { title, owner_user_id: users.get(owner) } };
  };
  const operations = [
    ...[create('Shared', 'mate'), create('Near', 'near'), create('Foreign', 'stranger')],
  ];
  const [shared = '', near = '', foreign = ''] = await write('places', operations);
  return { shared, near, foreign };
}

interface Named {
  readonly owner: string;
  readonly name: string;
}

/** One record of every subject for every person, a mate and a stranger. */
async function makeRecords(
  writing: Writing,
): Promise<ReadonlyMap<string, ReadonlyMap<string, Placed>>> {
  const owners = [...PERSONAS.map(({ name }) => name), ...Object.keys(BYSTANDERS)];
  const named = owners.map((owner) => ({ owner, name: owner }));
  const all = new Map<string, ReadonlyMap<string, Placed>>();
  for (const subject of SUBJECTS) {
    const placed = await writeAll(writing, subject, named);
    all.set(subject.type, new Map(owners.map((owner, index) => [owner, placed[index] as Placed])));
  }
  return all;
}

/** Records of the other workspace; every text of them is the canary. */
async function makeShadow({ write }: Seeding): Promise<ReadonlyMap<string, Placed>> {
  const shadow = new Map<string, Placed>();
  for (const subject of SUBJECTS) {
    const probe = `${GUARDED_WORD} ${CANARY}`;
    const fields = { ...required(subject, CANARY), probe, custom_fields: { extra: CANARY } };
    const [id = ''] = await write(subject.type, [{ action: 'create', fields }]);
    shadow.set(subject.type, { id, title: CANARY, probe, rank: 0 });
  }
  return shadow;
}

interface Writing {
  readonly own: OwnDatabase;
  readonly seeding: Seeding;
  readonly users: ReadonlyMap<string, number>;
  readonly place: string;
}

async function writeAll(
  { own, seeding: { write }, users, place }: Writing,
  subject: Subject,
  named: readonly Named[],
): Promise<readonly Placed[]> {
  if (named.length === 0) return [];
  const planned = named.map(({ owner, name }, index) => {
    const title = wordOf(PREFIXES[owner] ?? 'prq', name);
    const probe = wordOf(GUARDED_WORD, `${subject.type} ${name}`);
    return { title, probe, rank: index + 1 };
  });
  const ids = await write(
    subject.type,
    planned.map(({ title, probe, rank }) => ({
      action: 'create',
      fields: {
        ...required(subject, title),
        ...{ probe, rank, place_id: place, custom_fields: { extra: probe } },
      },
    })),
  );
  const association_id = linkId(subject);
  await write(
    subject.type,
    ids.map((id) => ({ action: 'link', id, association_id, target_id: place }) as const),
  );
  const whose = named.map(({ owner }) => users.get(owner));
  await giveAway(own, subject, { ids, whose });
  return planned.map((one, index) => ({ ...one, id: ids[index] as string }));
}

/** By SQL: a record stays that of its owner who was deactivated, and agents own the records they made. */
async function giveAway(
  { rows }: OwnDatabase,
  { type, owned }: Subject,
  { ids, whose }: { readonly ids: readonly string[]; readonly whose: readonly unknown[] },
): Promise<void> {
  const column = owned ? 'owner_user_id' : 'created_by_user_id';
  const given = 'unnest($1::uuid[], $2::integer[]) as given(id, user_id)';
  await rows(
    `update ws_${ACME}.${type} set ${column} = given.user_id from ${given}
      where ${type}.id = given.id`,
    [ids, whose],
  );
  await rows(
    `update ws_${ACME}._search set reach_user_id = given.user_id,
        words = ts_delete(words, '@' || reach_user_id) || array_to_tsvector(array['@' || given.user_id])
      from ${given}
      where record_id = given.id and reach_user_id is not null`,
    [ids, whose],
  );
}

/** The fields every new record of a subject needs. */
export function required({ type, title }: Subject, value: string): Record<string, unknown> {
  return { [title]: value, ...(type === 'work_items' ? { work_item_type_id: 'task' } : {}) };
}
