// The requests of each task to a peer, and the checks of its answers: the same for every peer, by the known deals.
// Pure.

import type { Question } from './client.ts';
import {
  type Deal,
  datesOf,
  type Ledger,
  NEW_BATCHES,
  NEW_DEALS,
  placesToGet,
  SELECTIONS,
  type Selection,
  type StageTotal,
} from './deals.ts';
import type { OpenPeer, PeerTask, StoredDeal, TaskName } from './peer.ts';

/** Facts about the deals that every peer was given. */
export interface Known {
  readonly deals: readonly Deal[];
  /** Close dates of the page of each selection. */
  readonly dates: readonly (readonly string[])[];
}

export function knownOf(deals: readonly Deal[]): Known {
  return { deals, dates: SELECTIONS.map((selection) => datesOf(deals, selection)) };
}

/** The content of a peer: the ids of the loaded deals, and all later writes. */
export interface Held {
  readonly ids: readonly string[];
  readonly ledger: Ledger;
}

export function questionsOf(
  { tasks }: Pick<OpenPeer, 'tasks'>,
  known: Known,
  { ids, ledger }: Held,
): Readonly<Record<TaskName, readonly Question[]>> {
  return {
    get: placesToGet(known.deals.length).map((place) => {
      const id = ids[place] as string;
      const expected = { ...(known.deals[place] as Deal), id };
      return questionOf(tasks.get, id, (answer) => requireDeal(answer, expected));
    }),
    list: SELECTIONS.map((selection, index) => {
      const dates = known.dates[index] as readonly string[];
      return questionOf(tasks.list, selection, (page) => requirePage(page, selection, dates));
    }),
    aggregate: [totalsQuestion({ tasks }, ledger)],
    create: NEW_DEALS.map((deal) => createQuestion({ tasks }, deal, ledger)),
    batch: NEW_BATCHES.map((deals) => batchQuestion({ tasks }, deals, ledger)),
  };
}

function createQuestion(
  { tasks }: Pick<OpenPeer, 'tasks'>,
  deal: Deal,
  ledger: Held['ledger'],
): Question {
  const question = questionOf(tasks.create, deal, (answer) => {
    if (answer.id === '') throw new Error('no id');
    requireDeal({ ...deal, ...answer }, { ...deal, id: answer.id });
  });
  return { ...question, answered: () => ledger.add([deal]) };
}

/** Does the peer hold exactly the written deals? */
export function totalsQuestion({ tasks }: Pick<OpenPeer, 'tasks'>, ledger: Ledger): Question {
  return questionOf(tasks.aggregate, undefined, (totals) => {
    requireTotals(totals, ledger.totals());
  });
}

/** `onIds` gets the ids of the deals in their order. */
export function batchQuestion(
  { tasks }: Pick<OpenPeer, 'tasks'>,
  deals: readonly Deal[],
  ledger: Ledger,
  onIds?: (ids: readonly string[]) => void,
): Question {
  return {
    ...questionOf(tasks.batch, deals, (ids) => {
      if (new Set(ids).size !== deals.length) {
        throw new Error(`${new Set(ids).size} ids for ${deals.length} deals`);
      }
      onIds?.(ids);
    }),
    answered: () => ledger.add(deals),
  };
}

function questionOf<Input, Output>(
  { request, status, read }: PeerTask<Input, Output>,
  input: Input,
  verify: (output: Output) => void,
): Question {
  return { request: request(input), status, check: (body) => verify(read(body)) };
}

function requireDeal(answer: StoredDeal, expected: StoredDeal): void {
  for (const key of Object.keys(expected) as (keyof StoredDeal)[]) {
    if (answer[key] !== expected[key]) {
      throw new Error(`${key} is ${String(answer[key])}, not ${expected[key]}`);
    }
  }
}

function requirePage(
  page: readonly Deal[],
  { stage, amount }: Selection,
  dates: readonly string[],
): void {
  for (const deal of page) {
    if (deal.stage !== stage || !(deal.amount >= amount)) {
      throw new Error(`${deal.stage} of ${deal.amount} among ${stage} of ${amount} and more`);
    }
  }
  const found = page.map((deal) => deal.close_date).join(' ');
  if (found !== dates.join(' ')) throw new Error(`the page is ${found}, not ${dates.join(' ')}`);
}

function requireTotals(found: readonly StageTotal[], expected: readonly StageTotal[]): void {
  const print = (totals: readonly StageTotal[]) =>
    totals
      .map(({ stage, count, sum }) => `${stage} ${count} of ${sum.toFixed(2)}`)
      .sort()
      .join(', ');
  if (print(found) !== print(expected)) {
    throw new Error(`the totals are ${print(found)}, not ${print(expected)}`);
  }
}
