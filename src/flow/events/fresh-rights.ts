// The rights of readers before they are sent anything: never older than the last administrative change that this process
// has answered, nor than the age that cached data may have (control/workspace/changes.ts).

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Changes } from '../../control/workspace/changes.ts';
import type { ReaderRights } from '../../plan/people/reader-rights.ts';
import type { Outbox } from './event-pages.ts';
import { rightsEvents, rightsKey } from './event-rights.ts';
import { checkRights, isDue, isOutdated, type Subscriber } from './event-subscriber.ts';

/** Readers whose rights are checked before the event loop may do other work. */
const REFRESHED_AT_ONCE = 200;

interface Checking {
  readonly outbox: Outbox;
  readonly changes: Changes;
}

/** Check the rights that are older than a change. Errors: those of a check; nothing may be sent then. */
export async function refreshOutdated(
  checking: Checking,
  subscribers: Iterable<Subscriber>,
): Promise<void> {
  await checking.changes.catchUp();
  const version = checking.changes.version();
  await refresh(
    checking,
    [...subscribers].filter((one) => isOutdated(one, version)),
  );
}

/** Check the rights that may have ended by themselves, such as those of a key that expires. Errors: as before. */
export async function refreshDue(
  checking: Checking,
  subscribers: Iterable<Subscriber>,
): Promise<void> {
  await refresh(checking, [...subscribers].filter(isDue));
}

/** Reads the rights of the subscribers again, in portions. */
async function refresh(
  { outbox, changes }: Checking,
  subscribers: readonly Subscriber[],
): Promise<void> {
  const failures: unknown[] = [];
  const pending: (Promise<void> | undefined)[] = [];
  const check = {
    version: changes.version(),
    eventsOf: (reading: ReaderRights, before: string) =>
      rightsEvents(outbox, reading, rightsKey(before, Date.now())),
    onFailure: (error: unknown) => failures.push(error),
  };
  for (const [index, subscriber] of subscribers.entries()) {
    pending.push(checkRights(subscriber, check));
    if ((index + 1) % REFRESHED_AT_ONCE === 0) await yieldToEventLoop();
  }
  await Promise.all(pending);
  if (failures.length > 0) throw failures[0];
}
