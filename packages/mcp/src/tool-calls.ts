// A call of a tool: arguments checked, operations called, one text answered. Every failure is an answer that a model can
// act on, except those of the protocol.

import { bytesOf, MOST_BYTES } from './answer-text.ts';
import { namesAt, withoutNulls } from './arguments.ts';
import { hintsFor } from './hints.ts';
import { type Count, callThrough, type Invoke, refusalOf } from './operations.ts';
import {
  argumentError,
  INVALID_ARGUMENTS,
  namedByArguments,
  printRefusal,
  type Refusal,
  type RefusedPart,
  refusalIn,
} from './refusals.ts';
import type { Tool } from './tool.ts';
import { TOOLS } from './tools.ts';

/** Compile a JSON Schema into a function that finds every problem of a value; it fills in defaults. */
export type CompileSchema = (schema: object) => (value: unknown) => readonly RefusedPart[];

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

export interface ToolCalls {
  /** Undefined: there is no such tool. */
  call(name: string, given: unknown, service: Service): Promise<ToolAnswer> | undefined;
}

interface Service {
  readonly invoke: Invoke;
  readonly count: Count;
}

export interface ToolCallOptions {
  readonly compile: CompileSchema;
  /** Called with failures that are no refusals. */
  onFailure(error: unknown): void;
}

/** Schemas are compiled once: for each request that would take 3 ms (D601). */
export function openToolCalls({ compile, onFailure }: ToolCallOptions): ToolCalls {
  const tools = new Map(
    TOOLS.map((tool) => {
      const schema = JSON.parse(JSON.stringify(tool.inputSchema)) as object;
      return [tool.name, { tool, schema, check: compile(schema) }] as const;
    }),
  );
  return {
    call(name, given, { invoke, count }) {
      const entry = tools.get(name);
      if (entry === undefined) return undefined;
      const sent = withoutNulls(given ?? {});
      const call = callThrough(invoke);
      const run = async () => {
        requireArguments(sent, entry);
        return fitting(await entry.tool.run(sent, call));
      };
      return run().then(
        (text) => ({ text, isError: false }),
        async (error: unknown) => {
          const spent = await count();
          const refusal =
            spent === undefined
              ? (refusalOfTool(error, entry.tool) ?? failureOf(error, onFailure))
              : refusalOf(spent);
          const hints = await hintsFor(refusal, sent, call);
          return { text: fitting(printRefusal(refusal, hints)), isError: true };
        },
      );
    },
  };
}

/** A refusal by the names of the caller: its own arguments as they are, parts of requests as arguments. */
function refusalOfTool(error: unknown, { names }: Tool): Refusal | undefined {
  const refusal = refusalIn(error);
  return refusal === undefined || refusal.code === INVALID_ARGUMENTS
    ? refusal
    : namedByArguments(refusal, names);
}

interface CheckedTool {
  readonly tool: Tool;
  readonly schema: object;
  readonly check: ReturnType<CompileSchema>;
}

function requireArguments(sent: unknown, { tool, schema, check }: CheckedTool): void {
  const problems = check(sent).map((problem) => {
    const { param = '', message } = problem;
    if (message !== UNKNOWN) return problem;
    const place = /^(.+)\.[^.]*$/.exec(param)?.[1] ?? tool.name;
    const names = namesAt(schema, param).join(', ');
    return { ...problem, message: `There is no such argument. ${place} takes ${names}.` };
  });
  const all = [...problems, ...unusableParts(sent)];
  if (all.length > 0) throw argumentError(all);
}

/** The problem of a property that a schema does not have. */
const UNKNOWN = 'There is no such property.';

/** Numbers and texts that no request can carry (D11), wherever they stand. */
function unusableParts(value: unknown, path = ''): readonly RefusedPart[] {
  const message = whyUnusable(value);
  if (message !== undefined) return [{ param: path, message }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const step = Array.isArray(value) ? `[${key}]` : `.${key}`;
    return unusableParts(part, `${path}${step}`.replace(/^\./, ''));
  });
}

/**
 * Numbers that a double does not keep arrive as Infinity, which JSON would send on as null. Fields of numbers take them
 * as text.
 */
function whyUnusable(value: unknown): string | undefined {
  if (value === Infinity || value === -Infinity) return 'The number has too many digits.';
  if (typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0')))
    return undefined;
  return 'The text must not contain U+0000 or lone surrogates.';
}

function failureOf(error: unknown, onFailure: (error: unknown) => void) {
  onFailure(error);
  return { status: 500, code: 'internal_error', problems: [], more: 0, seconds: 0 };
}

/** Tools keep within the limit themselves; nothing else may be answered. */
function fitting(text: string): string {
  if (bytesOf(text) <= MOST_BYTES) return text;
  return 'The answer is too long. Ask for fewer fields, fewer records or a narrower condition.';
}
