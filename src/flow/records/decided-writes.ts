// Writes of status requests as the write path takes them: alone, once for each `Idempotency-Key`, with look-ups of
// their own behind those of the move.

import type { ObjectModel } from '../../model/definition/model.ts';
import type { ShownRequest } from '../../plan/people/status-request-plan.ts';
import type { Row } from '../../postgres/db.ts';
import type { Answer, Claim } from './idempotency.ts';
import type { Lookup } from './lookups.ts';
import type { LookedUp, PlannedRequest, WriteContext } from './write-group.ts';

/** The key of the request, if there is one, and the answer to it. */
export interface RequestOnce {
  readonly claim: Claim | undefined;
  /** `fields`: keys of the fields of the record whose values the answer has. */
  answer(request: ShownRequest, fields: readonly string[]): Answer;
}

interface OwnParts {
  readonly context: WriteContext;
  readonly object: ObjectModel;
  explain(error: unknown): Promise<unknown>;
}

export function requestOnce(
  { context, object, explain }: OwnParts,
  { claim }: RequestOnce,
): Pick<PlannedRequest<Answer>, 'context' | 'object' | 'keyed' | 'optimistic' | 'explain'> {
  const itself = (answer: Answer) => answer;
  const keyed = claim && { claim, answerOf: itself, resultOf: itself };
  return { context, object, keyed, optimistic: undefined, explain };
}

const OWN: ReadonlySet<Lookup['kind']> = new Set(['request', 'people']);

/** The look-ups of the move. */
export function restOf({ mode, lookups, answers }: LookedUp): LookedUp {
  const rest = lookups.flatMap((lookup, index) =>
    OWN.has(lookup.kind) ? [] : [[lookup, answers[index] ?? []] as const],
  );
  return { mode, lookups: rest.map(([lookup]) => lookup), answers: rest.map(([, rows]) => rows) };
}

/** The row of the last look-up of a kind. */
export function lookedUpRow({ lookups, answers }: LookedUp, kind: Lookup['kind']): Row | undefined {
  const index = lookups.findLastIndex((lookup) => lookup.kind === kind);
  return answers[index]?.[0];
}
