// The refusal of the interface, for a person at the command line: a line for each problem.

import { ApiError, operatorError } from '../errors.ts';

/** Errors of the interface below 500 become operator errors. */
export async function explainRefusal<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw refusalInWords(error);
  }
}

/** The error, or one in words when it is a refusal of the interface. */
export function refusalInWords(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status >= 500) return error;
  const problems = (error.details?.errors ?? [error]) as readonly {
    readonly param?: string;
    readonly message: string;
  }[];
  const lines = problems.map(({ param, message }) => (param ? `${param}: ${message}` : message));
  return operatorError([...new Set(lines)].join('\n'), error);
}
