// `npm run bench -- --against FOLDER`: this build and that of another checkout, in turns on the same machine. Each
// measures itself against its own floor, by its own code, and prints what is compared here.

import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Load, median } from './measure.ts';

/** One line that a run prints. */
interface Line {
  readonly task: string;
  /** Requests a second, or megabytes. */
  readonly figure: number;
  /** Microseconds of processor time for a request. */
  readonly cost?: number;
  /** How many times the floor. */
  readonly ratio?: number;
}

const COMPARED = /^(.+?)\s{2,}([\d.]+) ×\s+\(.*?; ([\d.]+)\/s, (\d+) µs \//;
const MEMORY = /^(memory after load)\s+(\d+) MB/;

/** Both sides in turns; the first turn does not count, because it makes the data. */
export async function compareBuilds(folder: string, names: string, load: Load): Promise<void> {
  const here = join(import.meta.dirname, '..');
  const rounds: (readonly [ReadonlyMap<string, Line>, ReadonlyMap<string, Line>])[] = [];
  for (let round = 0; round <= load.rounds; round += 1) {
    const other = await run(resolve(folder), names, load);
    const own = await run(here, names, load);
    if (round > 0) rounds.push([own, other]);
  }
  const tasks = new Set(rounds.flatMap(([own]) => [...own.keys()]));
  for (const task of tasks) printCompared(task, rounds);
}

async function run(
  folder: string,
  names: string,
  { seconds, connections }: Load,
): Promise<ReadonlyMap<string, Line>> {
  const load = ['--rounds', '1', '--seconds', `${seconds}`, '--connections', `${connections}`];
  const bench = join(folder, 'bench', 'index.ts');
  const command = ['--import', 'tsx', bench, '--only', names, ...load];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: folder });
  return new Map(
    stdout
      .split('\n')
      .flatMap(parseLine)
      .map((line) => [line.task, line]),
  );
}

function parseLine(text: string): readonly Line[] {
  const [, task, ratio, figure, cost] = COMPARED.exec(text) ?? [];
  if (task !== undefined) {
    return [{ task, figure: Number(figure), cost: Number(cost), ratio: Number(ratio) }];
  }
  const [, memory, megabytes] = MEMORY.exec(text) ?? [];
  return memory === undefined ? [] : [{ task: memory, figure: Number(megabytes) }];
}

function printCompared(
  task: string,
  rounds: readonly (readonly [ReadonlyMap<string, Line>, ReadonlyMap<string, Line>])[],
): void {
  const pairs = rounds.flatMap(([own, other]) => {
    const [one, two] = [own.get(task), other.get(task)];
    return one === undefined || two === undefined ? [] : [[one, two] as const];
  });
  if (pairs.length === 0) return;
  const of = (value: (pair: readonly [Line, Line]) => number) => median(pairs.map(value));
  const times = of(([own, other]) => own.figure / other.figure).toFixed(2);
  const costs = of(([own, other]) => (own.cost ?? 0) / (other.cost ?? 1)).toFixed(2);
  const floors = [0, 1].map((side) => of((pair) => pair[side]?.ratio ?? 0).toFixed(2));
  const isRate = pairs[0]?.[0].cost !== undefined;
  const more = isRate ? `; processor ${costs} ×; ÷ floor ${floors[1]} → ${floors[0]}` : '';
  console.log(`${task.padEnd(72)}${times} ×${more}`);
}
