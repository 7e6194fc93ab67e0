// The refusal of the interface, for a person at the command line: a line for each problem.

import { isRefusal, messageOf, operatorError, type Problem } from '../errors.ts';

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
  if (!isRefusal(error)) return error;
  const { translatable: message = messageOf(error.code), param: of = '' } = error;
  const problems = (error.details?.errors ?? [{ param: of, message }]) as readonly Problem[];
  const lines = problems.map(({ param, message: { text } }) =>
    param ? `${param}: ${text}` : text,
  );
  return operatorError([...new Set(lines)].join('\n'), error);
}
