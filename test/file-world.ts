// A world whose deals have files, and requests that upload and download them as a client would.

import { createHash } from 'node:crypto';
import http from 'node:http';
import { openFileStore } from '../src/files/file-store.ts';
import { expectNoCanary } from './access/canary.ts';
import type { Client } from './client.ts';
import { ACME, openWorldWith, type World } from './world.ts';

/** `papers`: any files; `scan`: one picture of at most a kilobyte. */
export const FILED = {
  ...ACME,
  objects: {
    ...ACME.objects,
    deals: {
      ...ACME.objects.deals,
      trash: { keep: '30d' },
      history: { keep: '30d' },
      fields: {
        ...ACME.objects.deals.fields,
        papers: { type: 'file', multiple: true },
        scan: { type: 'file', types: ['image/*', 'application/pdf'], max_bytes: 1024 },
      },
    },
  },
  roles: {
    ...ACME.roles,
    rep: {
      ...ACME.roles.rep,
      objects: {
        ...ACME.roles.rep.objects,
        deals: { ...ACME.roles.rep.objects.deals, fields: { scan: 'none' } },
      },
    },
    manager: {
      ...ACME.roles.manager,
      objects: {
        ...ACME.roles.manager.objects,
        deals: { ...ACME.roles.manager.objects.deals, fields: { scan: 'read' } },
      },
    },
  },
};

export interface FileWorld {
  readonly world: World;
  /** May do everything. */
  readonly ada: Client;
  /** Makes a deal with these values; its id. */
  deal(fields?: object, client?: Client): Promise<string>;
  upload(client: Client, content: Buffer | string, options?: Upload): Promise<Uploaded>;
  download(client: Client, path: string, headers?: http.OutgoingHttpHeaders): Promise<Downloaded>;
  /** A number for each file of the workspace that the store has. */
  stored(): Promise<number>;
}

export interface Upload {
  readonly name?: string;
  readonly type?: string;
  readonly query?: string;
  readonly headers?: http.OutgoingHttpHeaders;
}

export interface Uploaded {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any form.
  readonly body: any;
}

export interface Downloaded {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

export const filePath = (record: string, field: string, file: string) =>
  `/objects/deals/records/${record}/files/${field}/${file}`;

export const digest = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

export async function openFileWorld(
  settings: Readonly<Record<string, string>> = {},
): Promise<FileWorld> {
  const world = await openWorldWith(FILED, settings);
  const ada = await world.as('ada', { requestsPerMinute: 1_000_000 });
  let made = 0;
  return {
    world,
    ada,
    async deal(fields = {}, client = ada) {
      made += 1;
      const answer = await client.post('/objects/deals/records', {
        fields: { name: `Deal ${made}`, ...fields },
      });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return answer.body.data.id;
    },
    async upload({ secret }, content, { name = 'a.txt', type = 'text/plain', ...rest } = {}) {
      const query = `purpose=field&name=${encodeURIComponent(name)}${rest.query ?? ''}`;
      const headers = { 'content-type': type, ...rest.headers };
      const body = Buffer.from(content);
      const path = `/v1/files?${query}`;
      const sent = { port: world.port, method: 'POST', path, secret, headers, body };
      const { status, bytes } = await sendBytes(sent);
      return { status, body: JSON.parse(bytes.toString()) };
    },
    download: ({ secret }, path, headers = {}) =>
      sendBytes({ port: world.port, method: 'GET', path: `/v1${path}`, secret, headers }),
    async stored() {
      const store = openFileStore(world.config);
      const [{ id: workspace } = {}] = await world.database.rows(
        `select id from workspace_records.workspaces where slug = 'acme'`,
      );
      let count = 0;
      for (const { id, size } of await world.rows('select id, size from _files')) {
        const at = { workspace: Number(workspace), id: String(id) };
        const found = await store.open(at, { start: 0, end: Number(size) - 1 });
        found?.discard();
        if (found !== undefined) count += 1;
      }
      return count;
    },
  };
}

interface Sending {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly secret: string;
  readonly headers: http.OutgoingHttpHeaders;
  readonly body?: Buffer;
}

export function sendBytes(sending: Sending): Promise<Downloaded> {
  const { port, method, path, secret, headers, body } = sending;
  const length = body === undefined ? {} : { 'content-length': body.length };
  const all = { authorization: `Bearer ${secret}`, ...length, ...headers };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        ...{ host: '127.0.0.1', port, method, path, agent: false },
        headers: Object.fromEntries(given),
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(pieces);
          expectNoCanary(secret, bytes.toString('utf8'));
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
