// Why a definition is not applied: one operator error for the terminal, which the answer to a request takes
// apart again.

import { operatorError } from '../../errors.ts';

/** A value that blocks a change, and the record that has it. */
export interface Misfit {
  readonly id: string;
  readonly value: unknown;
}

/** One reason to refuse a definition. */
export interface PlanProblem {
  /** The path in the document; `allow` for a lost part that no entry names. */
  readonly path: string;
  readonly message: string;
  /** True: the document is valid, but existing data blocks it. */
  readonly conflicts?: true;
  /** The first records that block it. */
  readonly records?: readonly Misfit[];
}

export interface Refusal {
  readonly problems: readonly PlanProblem[];
  /** The data that would be lost without permission. */
  readonly losses?: readonly string[];
}

const refusals = new WeakMap<Error, Refusal>();

/** The error that refuses a definition. */
export function refuse(text: string, refusal: Refusal, cause?: unknown): Error {
  const error = operatorError(text, cause);
  refusals.set(error, refusal);
  return error;
}

/** The arguments of `refuse`; undefined for any other error. */
export function refusalOf(error: unknown): Refusal | undefined {
  return error instanceof Error ? refusals.get(error) : undefined;
}

export function listed(title: string, lines: readonly string[]): string {
  return `${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
