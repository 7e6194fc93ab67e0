// Patterns in linear time: a pattern becomes a table of states, and each character of a text is one table
// look-up, whatever text a client sends (D166). The table is made in full and bounded; a pattern that needs
// more is refused. A match may begin anywhere, as JSON Schema says. Tables live as long as the rules of the field
// that has the pattern (D391).

import { type Message, say } from '../../messages/message.ts';
import { runSteps, type Steps } from '../steps.ts';
import { type Alphabet, alphabetSteps } from './pattern-alphabet.ts';
import { type Edge, type PatternNode, parsePattern } from './pattern-syntax.ts';
import { type PatternWork, patternWork } from './pattern-work.ts';

/** The problem completes "the pattern …". */
export type PatternMatcher =
  | { readonly matches: (text: string) => boolean }
  | { readonly problem: Message };

/** Steps of the pattern with its repetitions written out, and states of the table. */
const MOST_STEPS = 2000;
const MOST_STATES = 2000;
/** Nodes of a pattern with its repetitions written out, and how many of them are one unit of work. */
const MOST_NODES = 10 * MOST_STEPS;
const NODES = 10;
/** Units of work that each pattern costs once. */
const WORK_OF_PATTERN = 100;

const TOO_LARGE = say('must_have_simple_pattern');

/** A compiled pattern, with the meaning of ECMA-262 with the u flag. */
export function* patternSteps(
  pattern: string,
  work: PatternWork = patternWork(),
): Steps<PatternMatcher> {
  const parsed = parsePattern(pattern);
  if ('problem' in parsed) return parsed;
  const program: Step[] = [];
  const end = append(program, { kind: 'match' });
  const builder = { program, left: MOST_NODES };
  const start = build(builder, parsed.tree, end);
  work.left -= WORK_OF_PATTERN + Math.ceil((MOST_NODES - builder.left) / NODES);
  if (start < 0 || work.left < 0) return { problem: TOO_LARGE };
  const sources = program.flatMap((step) => (step.kind === 'character' ? [step.source] : []));
  const alphabet = yield* alphabetSteps(new Set(sources), work);
  if (alphabet === undefined) return { problem: TOO_LARGE };
  const hasWords = program.some((step) => step.kind === 'edge' && WORDS.has(step.at));
  const table = yield* tableSteps({ program, start, alphabet, hasWords, work });
  if (table === undefined) return { problem: TOO_LARGE };
  return { matches: (text) => run(table, alphabet, text) };
}

/** Runs `patternSteps` without a pause. */
export function compilePattern(pattern: string): PatternMatcher {
  return runSteps(patternSteps(pattern));
}

/** The rules of a field, as far as they have to do with its pattern. */
export interface Patterned {
  readonly pattern?: string | undefined;
}

/** The matchers by the rules of a field: they end with the model that the rules belong to. */
const matchers = new WeakMap<Patterned, PatternMatcher>();

/** Texts under these rules are matched by this from now on. */
export function keepMatcher(rules: Patterned, matcher: PatternMatcher): PatternMatcher {
  matchers.set(rules, matcher);
  return matcher;
}

/** Returns the problem of a text under the pattern of the rules, if it has one. */
export function patternProblem(rules: Patterned, text: string): Message | undefined {
  const { pattern } = rules;
  if (pattern === undefined) return undefined;
  const matcher = matchers.get(rules) ?? keepMatcher(rules, compilePattern(pattern));
  // The definition was applied before such patterns were refused (D166).
  if ('problem' in matcher) return say('pattern_unchecked', { problem: matcher.problem });
  return matcher.matches(text) ? undefined : say('must_match_pattern', { pattern });
}

const WORDS: ReadonlySet<Edge> = new Set(['word', 'inside']);

interface CharacterStep {
  readonly kind: 'character';
  readonly source: string;
  readonly next: number;
}

type Step =
  | { readonly kind: 'match' }
  | CharacterStep
  | { readonly kind: 'edge'; readonly at: Edge; readonly next: number }
  | { readonly kind: 'split'; readonly next: number[] };

/** The index of the new step; -1 when there are too many. */
function append(program: Step[], step: Step): number {
  return program.length >= MOST_STEPS ? -1 : program.push(step) - 1;
}

interface Builder {
  readonly program: Step[];
  /** A budget of nodes: repetitions of empty nodes add no step but take time. */
  left: number;
}

/** Steps for the node, before the step `next`; answers the first of them, -1 when too many. */
function build(builder: Builder, node: PatternNode, next: number): number {
  const { program } = builder;
  builder.left -= 1;
  if (next < 0 || builder.left < 0) return -1;
  switch (node.kind) {
    case 'character':
      return append(program, { kind: 'character', source: node.source, next });
    case 'edge':
      return append(program, { kind: 'edge', at: node.at, next });
    case 'sequence':
      return node.parts.reduceRight((after, part) => build(builder, part, after), next);
    case 'choice': {
      const ways = node.branches.map((branch) => build(builder, branch, next));
      return ways.includes(-1) ? -1 : append(program, { kind: 'split', next: ways });
    }
    case 'repeat':
      return buildRepeat(builder, node, next);
  }
}

type Repeat = Extract<PatternNode, { kind: 'repeat' }>;

/** Builds the optional copies at the end, then the required ones. */
function buildRepeat(builder: Builder, { item, minimum, maximum }: Repeat, next: number): number {
  const { program } = builder;
  let first = next;
  if (maximum === Number.POSITIVE_INFINITY) {
    const ways = [next];
    first = append(program, { kind: 'split', next: ways });
    ways.push(build(builder, item, first));
    if (ways.includes(-1)) return -1;
  } else {
    for (let count = minimum; count < maximum && first >= 0; count += 1) {
      const once = build(builder, item, first);
      first = once < 0 ? -1 : append(program, { kind: 'split', next: [once, next] });
    }
  }
  for (let count = 0; count < minimum && first >= 0; count += 1) {
    first = build(builder, item, first);
  }
  return first;
}

interface Machine {
  readonly program: readonly Step[];
  readonly start: number;
  readonly alphabet: Alphabet;
  /** True when the pattern tests for the beginning or end of words. */
  readonly hasWords: boolean;
  readonly work: PatternWork;
}

/** The kind of character before or after a place. */
type Side = 'border' | 'word' | 'other';

/** Possible next steps, and the kind of character before them. */
interface State {
  readonly steps: readonly number[];
  readonly before: Side;
}

interface Table {
  /** The state after a character of each class, state by state; MATCHED ends it. */
  readonly after: Int16Array;
  /** The result by state: true when the pattern matches if the text ends here. */
  readonly atEnd: readonly boolean[];
}

const MATCHED = -1;
/** Looks whether a step takes a character that are one unit of work. */
const FITS = 4;

/** Undefined when the table would be too large, or takes more work than is left. */
function* tableSteps(machine: Machine): Steps<Table | undefined> {
  const { work } = machine;
  const states: State[] = [];
  const known = new Map<string, number>();
  const indexOf = (state: State) => {
    const key = `${state.before} ${state.steps}`;
    const index = known.get(key) ?? states.push(state) - 1;
    known.set(key, index);
    return index;
  };
  indexOf({ steps: [], before: 'border' });
  const after: number[] = [];
  const atEnd: boolean[] = [];
  for (let at = 0; at < states.length; at += 1) {
    const state = states[at] as State;
    const row = nextStates(machine, state);
    for (const next of row) after.push(next === undefined ? MATCHED : indexOf(next));
    atEnd.push(reach(machine, state, 'border') === undefined);
    work.left -= row.reduce((sum, next) => sum + 1 + (next?.steps.length ?? 0), 0);
    if (states.length > MOST_STATES || work.left < 0) return undefined;
    yield;
  }
  return { after: Int16Array.from(after), atEnd };
}

/** The state after a character of each class; undefined where the pattern has matched before it. */
function nextStates(machine: Machine, state: State): readonly (State | undefined)[] {
  const { program, alphabet, hasWords, work } = machine;
  const reached = { word: reach(machine, state, 'word'), other: reach(machine, state, 'other') };
  const tried = Math.max(reached.word?.length ?? 0, reached.other?.length ?? 0);
  work.left -= Math.ceil((alphabet.size * tried) / FITS);
  return Array.from({ length: alphabet.size }, (_, one) => {
    const side = hasWords && alphabet.isWord(one) ? 'word' : 'other';
    const steps = reached[side];
    if (steps === undefined) return undefined;
    const next = new Set<number>();
    for (const index of steps) {
      const step = program[index] as CharacterStep;
      if (alphabet.fits(step.source, one)) next.add(step.next);
    }
    return { steps: [...next].sort((a, b) => a - b), before: side };
  });
}

/** The steps that take the next character; undefined when the end of the pattern is reached. */
function reach(
  { program, start, work }: Machine,
  { steps, before }: State,
  behind: Side,
): readonly number[] | undefined {
  const seen = new Set([...steps, start]);
  const reached: number[] = [];
  for (const index of seen) {
    work.left -= 1;
    const step = program[index] as Step;
    if (step.kind === 'match') return undefined;
    if (step.kind === 'character') reached.push(index);
    else if (step.kind === 'split') for (const next of step.next) seen.add(next);
    else if (isAt(step.at, before, behind)) seen.add(step.next);
  }
  return reached;
}

function isAt(edge: Edge, before: Side, behind: Side): boolean {
  if (edge === 'start') return before === 'border';
  if (edge === 'end') return behind === 'border';
  return ((before === 'word') !== (behind === 'word')) === (edge === 'word');
}

function run({ after, atEnd }: Table, alphabet: Alphabet, text: string): boolean {
  const { ascii, size } = alphabet;
  let state = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    let symbol = ascii[code];
    if (symbol === undefined) {
      const codePoint = text.codePointAt(index) as number;
      if (codePoint > 0xffff) index += 1;
      symbol = alphabet.classOf(codePoint);
    }
    state = after[state * size + symbol] as number;
    if (state === MATCHED) return true;
  }
  return atEnd[state] as boolean;
}
