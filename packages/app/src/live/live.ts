// Live events in this tab: gathered for a moment, then applied to the loaded data; a hidden page reads nothing.

import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { followReturn, noteReturn, retryFailed } from '../lib/return.ts';
import type { Session } from '../lib/session.ts';
import { mayCount } from './affected.ts';
import type { Live } from './cached-lists.ts';
import { gather, isEmpty, noteGap, openGathered } from './gathered.ts';
import { forgetChanges, noteOld, takeUnread } from './list-states.ts';
import type { Message } from './message.ts';
import { type OneStream, openOneStream } from './one-stream.ts';
import { type CountedChanges, openRecount } from './recount.ts';

/** Milliseconds in which events are gathered. */
const GATHER = 250;
/** Milliseconds before what failed is tried again, by which time the client has tried for long. */
const AGAIN = 10_000;

let stream: OneStream | undefined;

/** Makes other tabs read it again, after a change that no event reports. */
export function tellTabs(what: string): void {
  stream?.tell({ kind: 'touched', what });
}

/** Starts the stream; the returned function ends it. */
export function startLive(session: Session, queries: QueryClient): () => void {
  const recount = openRecount((type, changes) => askFigures(session, queries, { type, changes }));
  const live: Live = { session, queries, recount };
  const pending = openPending(live);
  const receive = (message: Message) => {
    if (message.kind === 'touched') {
      void queries.invalidateQueries({ queryKey: [session.workspace, message.what] });
    } else if (message.kind === 'opened') noteReturn();
    else pending.take(message);
  };
  const { client, me } = session;
  const place = { client, name: nameOf(session), position: me.last_event_id };
  const opened = openOneStream(place, receive);
  stream = opened;
  const unfollow = [followCache(live), followReturn(() => retryFailed(queries))];
  return () => {
    opened.stop();
    pending.stop();
    recount.stop();
    for (const end of unfollow) end();
  };
}

interface Recounted {
  readonly type: string;
  readonly changes: CountedChanges;
}

function askFigures(
  { workspace }: Session,
  queries: QueryClient,
  { type, changes }: Recounted,
): Promise<void> {
  return queries.invalidateQueries({
    predicate: ({ queryKey: [place, object, kind, what, question] }) => {
      if (place !== workspace || object !== type || kind !== 'groups') return false;
      return what !== 'report' || mayCount(question, changes);
    },
  });
}

function nameOf({ workspace, me }: Session): string {
  return `wrs.live:${workspace}:${me.user.id}`;
}

function openPending(live: Live) {
  let gathered = openGathered();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let isStopped = false;
  const wait = (milliseconds = GATHER) => {
    const isIdle = timer === undefined && !isRunning && !isStopped && !isEmpty(gathered);
    if (isIdle && !document.hidden) timer = setTimeout(run, milliseconds);
  };
  async function run(): Promise<void> {
    timer = undefined;
    isRunning = true;
    const taken = gathered;
    gathered = openGathered();
    let pause = GATHER;
    try {
      const { catchUp } = await loadCatchUp();
      await catchUp(live, taken);
    } catch {
      // It is no longer known what was to be read; the banner says that the service does not answer.
      noteGap(gathered);
      pause = AGAIN;
    }
    isRunning = false;
    wait(pause);
  }
  const look = () => wait();
  document.addEventListener('visibilitychange', look);
  return {
    take(message: Message) {
      if (message.kind === 'event') gather(gathered, message.event);
      if (message.kind === 'gap') noteGap(gathered);
      wait();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    },
  };
}

/**
 * A list that is read from its start has no pending changes; one that is shown again reads the changes it has missed.
 */
function followCache(live: Live): () => void {
  return live.queries.getQueryCache().subscribe((event) => {
    const { queryKey, state } = event.query;
    const type = event.type === 'updated' ? event.action.type : event.type;
    if (queryKey[0] !== live.session.workspace || queryKey[2] !== 'list') return;
    const isPage = state.fetchMeta?.fetchMore !== undefined;
    if (type === 'removed' || (type === 'fetch' && !isPage)) forgetChanges(queryKey);
    // Its rows are unknown now.
    if (type === 'error' && !isPage) noteOld(queryKey);
    if (type === 'observerAdded') void readMissed(live, queryKey);
  });
}

async function readMissed(live: Live, key: QueryKey): Promise<void> {
  const ids = takeUnread(key);
  if (ids.length === 0) return;
  const { readListed } = await loadCatchUp();
  // A failure is repeated with the next event of these rows.
  await readListed(live, key, ids).catch(() => undefined);
}

/** Not with the first page, which needs only the stream. */
function loadCatchUp() {
  return import('./catch-up.ts');
}
