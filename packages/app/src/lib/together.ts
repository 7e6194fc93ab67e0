// Questions of one moment in one request. Each is answered, refused and cancelled by itself, as if it had been sent
// alone.

import { isRecordsError } from '@workspace-records/client';
import type { Session } from './session.ts';

type Client = Session['client'];

interface Ways<Question, Answer> {
  /** The most questions in a request. */
  readonly most: number;
  /** Milliseconds in which questions are gathered; by default those of one moment. */
  readonly gather?: number;
  alone(client: Client, question: Question, signal: AbortSignal | undefined): Promise<Answer>;
  together(
    client: Client,
    questions: readonly Question[],
    signal: AbortSignal,
  ): Promise<readonly Answer[]>;
}

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly signal: AbortSignal | undefined;
  resolve(answer: Promise<Answer>): void;
}

export type Ask<Question, Answer> = (
  client: Client,
  question: Question,
  signal?: AbortSignal,
) => Promise<Answer>;

/** Statuses of answers that may be about one of the questions only. */
const ABOUT_ONE: ReadonlySet<number> = new Set([400, 403, 404]);

/** Errors of a question: those of the service. */
export function askingTogether<Question, Answer>(
  ways: Ways<Question, Answer>,
): Ask<Question, Answer> {
  /** The questions to a service since its last request. */
  const waiting = new WeakMap<Client, Waiting<Question, Answer>[]>();
  return (client, question, signal) =>
    new Promise((resolve) => {
      const others = waiting.get(client);
      const entry = { question, signal, resolve };
      if (others !== undefined) {
        others.push(entry);
        return;
      }
      const asked: Waiting<Question, Answer>[] = [entry];
      waiting.set(client, asked);
      setTimeout(() => {
        waiting.delete(client);
        sendAll(ways, client, asked);
      }, ways.gather ?? 0);
    });
}

function sendAll<Question, Answer>(
  ways: Ways<Question, Answer>,
  client: Client,
  asked: readonly Waiting<Question, Answer>[],
): void {
  const wanted = asked.filter(({ signal, resolve }) => {
    if (signal?.aborted !== true) return true;
    resolve(Promise.reject(signal.reason));
    return false;
  });
  for (let from = 0; from < wanted.length; from += ways.most) {
    sendSome(ways, client, wanted.slice(from, from + ways.most));
  }
}

function sendSome<Question, Answer>(
  ways: Ways<Question, Answer>,
  client: Client,
  asked: readonly Waiting<Question, Answer>[],
): void {
  const [first, ...others] = asked as [Waiting<Question, Answer>, ...Waiting<Question, Answer>[]];
  const alone = ({ question, signal }: Waiting<Question, Answer>) =>
    ways.alone(client, question, signal);
  if (others.length === 0) {
    first.resolve(alone(first));
    return;
  }
  const questions = asked.map(({ question }) => question);
  const answers = ways.together(client, questions, whenAllGiveUp(asked));
  asked.forEach((one, index) => {
    const answer = answers.then(
      (all) => all[index] as Answer,
      // A refusal of one does not reach the others: each gets its own answer.
      (error: unknown) =>
        isRecordsError(error) && ABOUT_ONE.has(error.status) ? alone(one) : Promise.reject(error),
    );
    one.resolve(answer);
  });
}

/** Aborted when no caller waits for an answer. */
function whenAllGiveUp(
  asked: readonly { readonly signal: AbortSignal | undefined }[],
): AbortSignal {
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
