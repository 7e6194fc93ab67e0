// Readers at the same time as the writers: a page of a group must never show half a batch (V3), and another workspace
// reads and writes at the same time (V11). Unanswered requests are sent again later.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './recorder.ts';
import { CANARY } from './recorder.ts';
import { RECORDS_PATH, type Site } from './site.ts';
import type { Workload } from './workload.ts';

export interface Readers {
  /** Pages that were looked at. */
  pages(): number;
  stop(): Promise<void>;
  /** Not waited for. */
  abandon(): void;
}

const PAUSE = 40;

export function startReaders(site: Site, { ledger, ground }: Workload): Readers {
  const stop = new AbortController();
  let pages = 0;

  async function readGroup(group: string, size: number): Promise<void> {
    const path = `${RECORDS_PATH}?filter[grp]=${group}&limit=100&fields=mark,grp`;
    const secret = site.keys[0]?.secret ?? '';
    const answer = await site.wire.send(site.url, secret, { method: 'GET', path });
    if (answer.status !== 200) return;
    pages += 1;
    const marks = marksOf(answer);
    if (marks.length !== size) ledger.complain(`V3 a list of ${group} has ${marks.length} records`);
    const different = new Set(marks);
    if (different.size > 1) {
      ledger.complain(`V3 one page of ${group} shows ${[...different].join(' and ')}`);
    }
  }

  async function readGroups(): Promise<void> {
    while (!stop.signal.aborted) {
      for (const [group, ids] of ground.groups) await readGroup(group, ids.length);
      await sleep(PAUSE);
    }
  }

  async function useOtherWorkspace(): Promise<void> {
    const { key, wire } = site.other;
    for (let number = 0; !stop.signal.aborted; number += 1) {
      const body = JSON.stringify({ fields: { name: `${CANARY} ${number}` } });
      const path = '/v1/objects/companies/records';
      await wire.send(site.url, key.secret, { method: 'POST', path, body });
      await wire.send(site.url, key.secret, { method: 'GET', path: `${path}?limit=10` });
      await sleep(PAUSE * 2);
    }
  }

  const running = [readGroups(), useOtherWorkspace()];
  return {
    pages: () => pages,
    async stop() {
      stop.abort();
      await Promise.all(running);
    },
    abandon() {
      stop.abort();
      for (const reader of running) reader.catch(() => undefined);
    },
  };
}

function marksOf({ body }: Answer): readonly string[] {
  const { data } = JSON.parse(body) as {
    data: readonly { readonly fields: Readonly<Record<string, unknown>> }[];
  };
  return data.map(({ fields }) => String(fields.mark));
}
