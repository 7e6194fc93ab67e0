// Words for the parts of a workflow.

import type { PlainKey } from '../../lib/messages/index.ts';
import type { StatusProblem } from './workflow-problems.ts';

export const PROBLEM_WORDS: Readonly<Record<StatusProblem, PlainKey>> = {
  unreachable: 'workflow.unreachable',
  dead_end: 'workflow.deadEnd',
};

export const PROBLEM_TEXTS: Readonly<Record<StatusProblem, PlainKey>> = {
  unreachable: 'workflow.unreachableText',
  dead_end: 'workflow.deadEndText',
};

export const CATEGORIES: Readonly<Record<string, PlainKey>> = {
  open: 'workflow.open',
  active: 'workflow.active',
  done: 'workflow.done',
  cancelled: 'workflow.cancelled',
};
