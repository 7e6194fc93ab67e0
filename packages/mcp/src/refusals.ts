// Refusals as a language model reads them: which argument is wrong, why, and which values it takes.

import { printAnswer, printRow } from './answer-text.ts';

/** One problem; of a move that needs approval `approval` says so. */
export interface RefusedPart {
  readonly param?: string;
  readonly message: string;
  readonly approval?: unknown;
}

export interface Refusal {
  /** The status of HTTP. */
  readonly status: number;
  readonly code: string;
  readonly problems: readonly RefusedPart[];
  /** Further problems that are not among these. */
  readonly more: number;
  /** The seconds before the call may be sent again; 0: it would be refused again. */
  readonly seconds: number;
  /** Lines of content that explain it. */
  readonly data?: readonly string[];
}

/** The code of refusals by a tool itself. */
export const INVALID_ARGUMENTS = 'invalid_arguments';

/** A refusal of the arguments of a tool by the tool itself. */
export function argumentError(
  problems: readonly RefusedPart[],
  data: readonly string[] = [],
): Error {
  const code = INVALID_ARGUMENTS;
  return refusalError({ status: 400, code, problems, more: 0, seconds: 0, data });
}

export function refusalError(refusal: Refusal): Error {
  return Object.assign(new Error(refusal.code), { refusal });
}

/** The refusal that was thrown; undefined for any other failure. */
export function refusalIn(error: unknown): Refusal | undefined {
  return error instanceof Error && 'refusal' in error ? (error.refusal as Refusal) : undefined;
}

/** The refusal of a service by the names of the arguments that its request was made from. */
export function namedByArguments(
  refusal: Refusal,
  names: Readonly<Record<string, string>> = {},
): Refusal {
  const problems = refusal.problems.map((problem) => {
    const [part = ''] = /^[\w-]+/.exec(problem.param ?? '') ?? [];
    const name = Object.hasOwn(names, part) ? names[part] : undefined;
    return name === undefined
      ? problem
      : { ...problem, param: `${name}${problem.param?.slice(part.length)}` };
  });
  return { ...refusal, problems };
}

/** Problems that one answer names. */
const SHOWN = 10;
const NO_GATES =
  'No tool can make or request this move. A person can request it in the application.';

/** The text of a refusal; `hints` are further lines of content. */
export function printRefusal(refusal: Refusal, hints: readonly string[]): string {
  const { code, problems, more, seconds, status, data = [] } = refusal;
  const shown = problems.slice(0, SHOWN);
  const repeating = shown.filter((part) => !isOfService(part));
  const left = problems.length - shown.length + more;
  const head = [
    status >= 500 && seconds === 0
      ? `${code}: the service has failed; the failure is logged.`
      : code,
    ...shown.filter(isOfService).map(printPart),
    ...(repeating.length > 0 ? [repeatedText(repeating.length)] : []),
    ...(left > 0 ? [`and ${left} more problems`] : []),
    ...(problems.some(({ approval }) => approval !== undefined) ? [NO_GATES] : []),
    ...(seconds > 0
      ? [`Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then call again.`]
      : []),
  ];
  const rows = repeating.map(({ param, message }) =>
    printRow([param ?? '', message], MOST_REPEATED),
  );
  return printAnswer({ head, data: [...rows, ...data, ...hints] });
}

/** Bytes of an argument or a sentence that repeats parts of the call. */
const MOST_REPEATED = 400;
const NAME = /^[\w.$@[\]-]{1,80}$/;

/**
 * True for a problem in words of the service, with identifiers of the call at most. Others repeat texts of the call, which
 * may come from records. A sentence with one pair of quotation marks quotes one text without any.
 */
function isOfService({ param = 'call', message }: RefusedPart): boolean {
  const [before, quoted, ...rest] = message.split('"');
  return (
    NAME.test(param) &&
    before !== undefined &&
    (quoted === undefined || (NAME.test(quoted) && rest.length === 1))
  );
}

function repeatedText(count: number): string {
  return count === 1
    ? 'The first line of data is a problem: the argument, and why.'
    : `The first ${count} lines of data are problems: the argument, and why.`;
}

function printPart({ param, message }: RefusedPart): string {
  return param === undefined ? message : `- ${param}: ${message}`;
}
