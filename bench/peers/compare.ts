// The comparison: every peer gets the same deals and the same questions, in turns, so that the
// noise of the machine hits all alike. One that answers wrongly has no figure for the task.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Load, median } from '../measure.ts';
import { openSender, type Question, type Sender, type Turn } from './client.ts';
import { BATCH, type Deal, dealsOf, type Ledger, openLedger } from './deals.ts';
import { type OpenPeer, type Peer, TASK_NAMES, type TaskName } from './peer.ts';
import { batchQuestion, type Known, knownOf, questionsOf, totalsQuestion } from './questions.ts';

/** A cell of the table. */
export interface Cell {
  readonly task: TaskName;
  readonly peer: string;
  /** Medians over the rounds; undefined when an answer was wrong. */
  readonly figures?: Turn & {
    /** The rate relative to the first peer, in the same round. */
    readonly ratio: number | undefined;
  };
  /** The fault of the peer. */
  readonly wrong?: string;
}

export interface ComparisonOptions {
  readonly records: number;
  readonly load: Load;
  /** Seconds that autovacuum gets after loading, for peers that cannot be vacuumed otherwise. */
  readonly vacuumSeconds: number;
  onNews(text: string): void;
}

/** A peer with its deals in it. */
interface Entrant {
  readonly name: string;
  readonly open: OpenPeer;
  readonly sender: Sender;
  readonly ledger: Ledger;
  readonly questions: Readonly<Record<TaskName, readonly Question[]>>;
}

/** At most this many at a time: such requests keep the processors busy for long. */
const FEW = 4;
/** Turns that warming up takes: several processes and their connections are warm later than one. */
const WARM_UP = 4;
const LONG: readonly TaskName[] = ['aggregate', 'batch'];
const WRITING: readonly TaskName[] = ['create', 'batch'];

/** Measure every task of every peer; the others are compared with the first one. */
export async function comparePeers(
  peers: readonly Peer[],
  options: ComparisonOptions,
): Promise<readonly Cell[]> {
  const known = knownOf(dealsOf(0, options.records));
  const entrants: Entrant[] = [];
  const cells: Cell[] = [];
  try {
    for (const peer of peers) {
      options.onNews(`${peer.name}: making ready, ${options.records} deals`);
      entrants.push(await enter(peer, known, options.load));
    }
    await settle(entrants, options);
    for (const task of TASK_NAMES) {
      options.onNews(`${task}: ${options.load.rounds} rounds`);
      cells.push(...(await compareTask(task, entrants, options.load)));
    }
    return cells;
  } finally {
    for (const { sender, open } of entrants) {
      sender.close();
      await open.close();
    }
  }
}

async function enter(peer: Peer, known: Known, { connections }: Load): Promise<Entrant> {
  const open = await peer.open(known.deals);
  const sender = openSender(open.url, open.headers, connections);
  const ledger = openLedger();
  try {
    if (open.ids !== undefined) ledger.add(known.deals);
    const ids = open.ids ?? (await loadDeals(open, sender, known.deals, ledger));
    const questions = questionsOf(open, known, { ids, ledger });
    return { name: peer.name, open, sender, ledger, questions };
  } catch (error) {
    sender.close();
    await open.close();
    throw new Error(`${peer.name} could not be given its deals: ${textOf(error)}`, {
      cause: error,
    });
  }
}

/** Load through the batch task into a peer that must be empty; answers the ids. */
export async function loadDeals(
  open: Pick<OpenPeer, 'tasks'>,
  sender: Pick<Sender, 'ask'>,
  deals: readonly Deal[],
  ledger: Ledger,
): Promise<readonly string[]> {
  await sender.ask(totalsQuestion(open, ledger));
  const ids: string[] = [];
  for (let from = 0; from < deals.length; from += BATCH) {
    const some = deals.slice(from, from + BATCH);
    await sender.ask(batchQuestion(open, some, ledger, (found) => ids.push(...found)));
  }
  return ids;
}

async function settle(entrants: readonly Entrant[], options: ComparisonOptions): Promise<void> {
  for (const { open } of entrants) await open.settle?.();
  if (entrants.every(({ open }) => open.settle !== undefined)) return;
  options.onNews(`waiting ${options.vacuumSeconds} s for autovacuum`);
  await sleep(1000 * options.vacuumSeconds);
}

async function compareTask(
  task: TaskName,
  entrants: readonly Entrant[],
  load: Load,
): Promise<readonly Cell[]> {
  const turns = new Map<Entrant, Turn[]>(entrants.map((entrant) => [entrant, []]));
  const wrong = new Map<Entrant, string>();
  async function attempt(entrant: Entrant, work: () => Promise<void>): Promise<void> {
    if (wrong.has(entrant)) return;
    await work().catch((error: unknown) => wrong.set(entrant, textOf(error)));
  }
  for (const entrant of entrants) await attempt(entrant, () => checkFirst(task, entrant));
  const connections = LONG.includes(task) ? Math.min(FEW, load.connections) : load.connections;
  for (let round = 0; round <= load.rounds; round += 1) {
    for (let place = 0; place < entrants.length; place += 1) {
      // The order changes each round, so that no peer always follows the same other one.
      const entrant = entrants[(place + round) % entrants.length] as Entrant;
      await attempt(entrant, async () => {
        const isWarmUp = round === 0;
        const seconds = isWarmUp ? WARM_UP * load.seconds : load.seconds;
        const questions = entrant.questions[task];
        const turn = await entrant.sender.measure(questions, { seconds, connections });
        if (!isWarmUp) turns.get(entrant)?.push(turn);
      });
    }
  }
  if (WRITING.includes(task)) {
    for (const entrant of entrants) await attempt(entrant, () => checkTotals(entrant));
  }
  const first = entrants[0] as Entrant;
  const against = wrong.has(first) ? undefined : turns.get(first);
  return entrants.map((entrant) => {
    const cell = { task, peer: entrant.name };
    const problem = wrong.get(entrant);
    if (problem !== undefined) return { ...cell, wrong: problem };
    return { ...cell, figures: figuresOf(turns.get(entrant) as readonly Turn[], against) };
  });
}

/** Every request once where none of them writes, else one. */
async function checkFirst(task: TaskName, { sender, questions }: Entrant): Promise<void> {
  const some = WRITING.includes(task) ? questions[task].slice(0, 1) : questions[task];
  await Promise.all(some.map((question) => sender.ask(question)));
}

function checkTotals({ sender, open, ledger }: Entrant): Promise<void> {
  return sender.ask(totalsQuestion(open, ledger));
}

function figuresOf(turns: readonly Turn[], first: readonly Turn[] | undefined) {
  const ratios = turns.map(({ rate }, round) => rate / (first?.[round]?.rate ?? Number.NaN));
  return {
    rate: median(turns.map(({ rate }) => rate)),
    p50: median(turns.map(({ p50 }) => p50)),
    p99: median(turns.map(({ p99 }) => p99)),
    ratio: first === undefined ? undefined : median(ratios),
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
