// Viewing as a person, begun and ended: afterwards the application loads again, with nothing of the other person.

import { ownClientOf } from '../lib/connection.ts';
import { translate } from '../lib/messages/index.ts';
import type { Session } from '../lib/session.ts';
import { beginHere, endHere } from '../lib/viewing.ts';
import { problemText } from '../ui/problem.tsx';
import { showToast } from '../ui/toast.ts';

export async function startViewing({ workspace, client }: Session, id: number): Promise<void> {
  try {
    await client.viewing.start(id);
    beginHere({ workspace, id });
  } catch (error) {
    showToast({ text: problemText(error, translate()), isProblem: true });
  }
}

/** Back to the page of the person; the service ends it by itself where it cannot be told. */
export async function stopViewing({ workspace, me }: Session): Promise<void> {
  await ownClientOf(workspace)
    .viewing.stop()
    .catch(() => undefined);
  endHere(workspace, `/settings/people/${me.user.id}`);
}
