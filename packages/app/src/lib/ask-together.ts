// Queries of one moment in one request: columns of a board, or the queries of a record's page. Each is answered,
// refused and cancelled by itself, as if it had been sent alone.

import { isRecordsError, type ObjectQuestion, type QuestionPage } from '@workspace-records/client';
import type { Session } from './session.ts';

type Client = Session['client'];

interface Waiting {
  readonly question: ObjectQuestion;
  readonly signal: AbortSignal | undefined;
  resolve(page: Promise<QuestionPage>): void;
}

/** As the service has it (limits.ts there). */
export const MOST_TOGETHER = 10;
/** Statuses of answers that may be about one of the questions only. */
const ABOUT_ONE: ReadonlySet<number> = new Set([400, 403, 404]);
/** The queries to a service since its last request. */
const waiting = new WeakMap<Client, Waiting[]>();

/** Errors: those of the service. */
export function askTogether(
  client: Client,
  question: ObjectQuestion,
  signal?: AbortSignal,
): Promise<QuestionPage> {
  return new Promise((resolve) => {
    const others = waiting.get(client);
    const one = { question, signal, resolve };
    if (others !== undefined) {
      others.push(one);
      return;
    }
    const asked: Waiting[] = [one];
    waiting.set(client, asked);
    setTimeout(() => {
      waiting.delete(client);
      sendAll(client, asked);
    });
  });
}

function sendAll(client: Client, asked: readonly Waiting[]): void {
  const wanted = asked.filter(({ signal, resolve }) => {
    if (signal?.aborted !== true) return true;
    resolve(Promise.reject(signal.reason));
    return false;
  });
  for (let from = 0; from < wanted.length; from += MOST_TOGETHER) {
    sendSome(client, wanted.slice(from, from + MOST_TOGETHER));
  }
}

function sendSome(client: Client, asked: readonly Waiting[]): void {
  const [first, ...others] = asked as [Waiting, ...Waiting[]];
  if (others.length === 0) {
    first.resolve(askAlone(client, first));
    return;
  }
  const questions = asked.map(({ question }) => question);
  const pages = client.query(questions, { signal: whenAllGiveUp(asked) });
  asked.forEach((one, index) => {
    const own = pages.then(
      (all) => all[index] as QuestionPage,
      // A refusal of one does not reach the others: each gets its own answer.
      (error: unknown) =>
        isRecordsError(error) && ABOUT_ONE.has(error.status)
          ? askAlone(client, one)
          : Promise.reject(error),
    );
    one.resolve(own);
  });
}

function askAlone(client: Client, { question, signal }: Waiting): Promise<QuestionPage> {
  const { object_type, ...body } = question;
  return client.records(object_type).query(body, signal === undefined ? {} : { signal });
}

/** Aborted when no caller waits for an answer. */
function whenAllGiveUp(asked: readonly Waiting[]): AbortSignal {
  const controller = new AbortController();
  let left = asked.length;
  for (const { signal } of asked) {
    signal?.addEventListener('abort', () => {
      left -= 1;
      if (left === 0) controller.abort(signal.reason);
    });
  }
  return controller.signal;
}
