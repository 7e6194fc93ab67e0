// A plan of a definition that has problems: an error with their sentences, which pages show as they are.

import { told } from './messages/index.ts';

interface PlanProblem {
  readonly path: string;
  readonly message: string;
}

export function planRefused(problems: readonly PlanProblem[]): Error {
  const text = problems.map(({ path, message }) => `${path}: ${told(message)}`).join('\n');
  return new Error(text, { cause: 'plan' });
}

export function isPlanRefused(error: unknown): error is Error {
  return error instanceof Error && error.cause === 'plan';
}
