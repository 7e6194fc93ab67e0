// Measures how often an engine has the intended record among its first hits, and how long it takes.

import type { Question } from './search-questions.ts';

export interface Engine {
  readonly name: string;
  /** The ids of the first hits, best first. */
  ask(text: string): Promise<readonly string[]>;
}

export interface Outcome {
  /** Percent of the questions whose record is the first hit, one of five, one of twenty. */
  readonly at1: number;
  readonly at5: number;
  readonly at20: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  /** Questions without the right hit. */
  readonly missed: readonly string[];
}

/** Send one query after the other; `ids` are those of the records by their places. */
export async function measureEngine(
  engine: Engine,
  questions: readonly Question[],
  ids: readonly string[],
): Promise<Outcome> {
  const ranks: number[] = [];
  const times: number[] = [];
  for (const { text, meant } of questions) {
    const started = performance.now();
    const hits = await engine.ask(text);
    times.push(performance.now() - started);
    const wanted = new Set(meant.map((place) => ids[place]));
    const rank = hits.findIndex((id) => wanted.has(id));
    ranks.push(rank === -1 ? Number.POSITIVE_INFINITY : rank);
  }
  return summarise(questions, ranks, times);
}

/** `ranks` and `times` are in the order of the questions. */
function summarise(
  questions: readonly Question[],
  ranks: readonly number[],
  times: readonly number[],
): Outcome {
  const within = (most: number) =>
    (100 * ranks.filter((rank) => rank < most).length) / questions.length;
  const sorted = times.toSorted((one, other) => one - other);
  return {
    at1: within(1),
    at5: within(5),
    at20: within(20),
    p50: sorted[Math.floor(sorted.length / 2)] as number,
    p95: sorted[Math.floor(sorted.length * 0.95)] as number,
    missed: questions.filter((_, index) => ranks[index] === Infinity).map(({ text }) => text),
  };
}

export function printOutcome(kind: string, engine: string, outcome: Outcome): void {
  const percent = [outcome.at1, outcome.at5, outcome.at20].map((share) =>
    share.toFixed(1).padStart(6),
  );
  const times = [outcome.p50, outcome.p95].map((time) => time.toFixed(1).padStart(7));
  console.log(`${kind.padEnd(27)}${engine.padEnd(10)}${percent.join(' ')}  ${times.join(' ')} ms`);
}
