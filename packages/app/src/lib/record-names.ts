// Names of records that others refer to. Most come with the page that refers to them (record-lists.ts); further names
// that a screen needs within some milliseconds are one request, by the ids that are in view.

import { useQueries, useQuery } from '@tanstack/react-query';
import { type Client, LIMITS } from '@workspace-records/client';
import { askTogether } from './ask-together.ts';
import { recordNameKey } from './name-keys.ts';
import { useSession } from './session.ts';

interface Wish {
  readonly id: string;
  resolve(name: string | null): void;
  reject(error: unknown): void;
}

/** Milliseconds in which wishes are gathered. */
const GATHER = 20;
const SETTLED = 300_000;

/** Undefined: not known yet, or not readable. */
export function useRecordName(type: string, id: string) {
  const { workspace, client } = useSession();
  const { data, isPending } = useQuery({
    queryKey: recordNameKey(workspace, type, id),
    queryFn: () => wishName(client, type, id),
    staleTime: SETTLED,
    enabled: id !== '',
  });
  return { name: data ?? undefined, isPending };
}

/** Names of records of one object by their ids; those that are not known yet, or not readable, are missing. */
export function useRecordNames(type: string, ids: readonly string[]): ReadonlyMap<string, string> {
  const { workspace, client } = useSession();
  const names = useQueries({
    queries: ids.map((id) => ({
      queryKey: recordNameKey(workspace, type, id),
      queryFn: () => wishName(client, type, id),
      staleTime: SETTLED,
    })),
    combine: (results) => results.map(({ data }) => data),
  });
  return new Map(
    ids.flatMap((id, index) => {
      const name = names[index];
      return name === undefined || name === null ? [] : [[id, name] as const];
    }),
  );
}

/** The names to request, by object. */
const gathered = new Map<string, Wish[]>();

function wishName(client: Client, type: string, id: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    if (gathered.size === 0) setTimeout(() => grantAll(client), GATHER);
    const wishes = gathered.get(type) ?? [];
    gathered.set(type, wishes);
    wishes.push({ id, resolve, reject });
  });
}

function grantAll(client: Client): void {
  const wished = [...gathered];
  gathered.clear();
  for (const [type, wishes] of wished) {
    for (let start = 0; start < wishes.length; start += LIMITS.inValues) {
      void grant(client, type, wishes.slice(start, start + LIMITS.inValues));
    }
  }
}

async function grant(client: Client, type: string, wishes: readonly Wish[]): Promise<void> {
  try {
    const ids = [...new Set(wishes.map(({ id }) => id))];
    const filters = { id: { in: ids } };
    const question = { object_type: type, filters, fields: ['id'], limit: LIMITS.inValues };
    const { data } = await askTogether(client, question);
    const names = new Map(data.map((record) => [record.id, record.display]));
    for (const { id, resolve } of wishes) resolve(names.get(id) ?? null);
  } catch (error) {
    for (const { reject } of wishes) reject(error);
  }
}
