// One search over all objects: the hits of `GET /search`, and records by their names for the objects that it leaves
// out.

import {
  LIMITS,
  type ObjectSummary,
  type RecordData,
  type SearchHit,
} from '@workspace-records/client';
import { askTogether } from './ask-together.ts';
import { openObjectsQuery } from './open-work.ts';
import { queryClient } from './query-client.ts';
import { objectsQuery } from './schema-queries.ts';
import type { Session } from './session.ts';

/** The most objects whose lists are queried: three requests. */
const MOST_OTHERS = 3 * LIMITS.questions;

interface SearchOptions {
  readonly q: string;
  /** The most hits of `GET /search`. */
  readonly limit: number;
  /** The most hits of each object that `GET /search` leaves out. */
  readonly limitOfOthers: number;
  readonly signal: AbortSignal;
}

/** Hits of `GET /search` first, best first; then those of each other object, newest first. */
export async function searchEverything(
  session: Session,
  { q, limit, limitOfOthers, signal }: SearchOptions,
): Promise<readonly SearchHit[]> {
  const { client } = session;
  const ofOthers = async () => {
    const [objects, openObjects] = await Promise.all([
      queryClient.ensureQueryData(objectsQuery(session)),
      queryClient.ensureQueryData(openObjectsQuery(session)).catch(() => []),
    ]);
    const statusOf = ({ object_type, status }: RecordData) =>
      openObjects.find(({ type }) => type === object_type)?.shown[status ?? '']?.name;
    const asked = objects.filter(isLeftOut).slice(0, MOST_OTHERS);
    const pages = asked.map(async (object) => {
      const question = { object_type: object.object_type, query: q, limit: limitOfOthers };
      const { data } = await askTogether(client, question, signal);
      return data.map((record) => hitOf(object, record, statusOf(record)));
    });
    return (await Promise.all(pages)).flat();
  };
  const [hits, others] = await Promise.all([
    client.search(q, { limit, expand: 'owner_user_id' }, { signal }),
    ofOthers(),
  ]);
  return [...hits, ...others];
}

function isLeftOut({ searched, capabilities, permissions, display_field }: ObjectSummary): boolean {
  const isReadable = permissions.read.allowed && display_field !== null;
  return !searched && capabilities.search && isReadable;
}

/** A record as a hit; its status takes the place of the second field in a subtitle. */
function hitOf(
  { object_type, singular_name }: ObjectSummary,
  { id, display }: RecordData,
  status: string | undefined,
): SearchHit {
  const subtitle = status === undefined ? singular_name : `${singular_name} · ${status}`;
  return { object_type, id, display, subtitle, url: null };
}
