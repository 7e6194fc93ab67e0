// Many writes: in batches of a hundred, each under a key of its own. A batch is done as a whole or not at all, so
// refused writes are left out and the others are sent again; without an answer no further batch is sent.

import {
  type Client,
  isRecordsError,
  type ObjectOperations,
  type RecordsError,
} from '@workspace-records/client';
import { makeKey } from './idempotency-key.ts';

export type Operation = ObjectOperations[number];

export interface WrittenOperation {
  /** The index of the operation, from 0. */
  readonly index: number;
  readonly id: string;
  /** The present version of the record; not of one that was deleted. */
  readonly version: string | undefined;
}

export interface RefusedOperation {
  readonly index: number;
  readonly error: unknown;
  /** The refused parameter, such as `fields.amount`, where it is known. */
  readonly param: string | undefined;
  /** The message of the service; undefined where it did not answer. */
  readonly message: string | undefined;
}

export interface BatchOutcome {
  readonly written: readonly WrittenOperation[];
  readonly refused: readonly RefusedOperation[];
}

const AT_ONCE = 100;

/** `onProgress` gets the number of finished ones. */
export async function writeInBatches(
  client: Pick<Client, 'batch'>,
  operations: readonly Operation[],
  onProgress: (count: number) => void = () => {},
): Promise<BatchOutcome> {
  const written: WrittenOperation[] = [];
  const refused: RefusedOperation[] = [];
  for (let start = 0; start < operations.length; start += AT_ONCE) {
    const part = operations.slice(start, start + AT_ONCE).map((operation, at) => ({
      ...{ operation, index: start + at },
    }));
    const outcome = await writePart(client, part);
    written.push(...outcome.written);
    refused.push(...outcome.refused);
    if (outcome.isCut) {
      const rest = operations.slice(start + AT_ONCE).keys();
      const [cause] = outcome.refused;
      if (cause !== undefined)
        refused.push(...[...rest].map((at) => ({ ...cause, index: start + AT_ONCE + at })));
      break;
    }
    onProgress(start + part.length);
  }
  return { written, refused };
}

interface IndexedOperation {
  readonly operation: Operation;
  readonly index: number;
}

interface PartOutcome extends BatchOutcome {
  /** There was no answer that is about these operations: the next ones would fare no better. */
  readonly isCut: boolean;
}

async function writePart(
  client: Pick<Client, 'batch'>,
  part: readonly IndexedOperation[],
): Promise<PartOutcome> {
  const refused: RefusedOperation[] = [];
  let left = part;
  while (left.length > 0) {
    const sent = left;
    try {
      const results = await client.batch(
        sent.map(({ operation }) => operation),
        { idempotencyKey: makeKey() },
      );
      const written = results.map(({ id, version }, at) => ({
        ...{ index: sent[at]?.index ?? -1, id, version },
      }));
      return { written, refused, isCut: false };
    } catch (error) {
      const blamed = blamedOf(error, sent);
      if (blamed.length === 0) {
        const all = sent.map(({ index }) => ({ ...refusalIn(error), index }));
        return { written: [], refused: [...refused, ...all], isCut: true };
      }
      refused.push(...blamed);
      const gone = new Set(blamed.map(({ index }) => index));
      left = sent.filter(({ index }) => !gone.has(index));
    }
  }
  return { written: [], refused, isCut: false };
}

function blamedOf(error: unknown, sent: readonly IndexedOperation[]): readonly RefusedOperation[] {
  if (!isRecordsError(error)) return [];
  return (error.details?.errors ?? []).flatMap(({ operation_index, param, message }) => {
    const index = operation_index === undefined ? undefined : sent[operation_index]?.index;
    if (index === undefined) return [];
    return [{ index, error, message, param: param?.replace(/^operations\[\d+\]\./, '') }];
  });
}

function refusalIn(error: unknown): Omit<RefusedOperation, 'index'> {
  const isAnswer = isRecordsError(error) && (error as RecordsError).status > 0;
  return { error, param: undefined, message: isAnswer ? error.message : undefined };
}
