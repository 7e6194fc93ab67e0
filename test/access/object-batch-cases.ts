// Writes of the access matrix once more as operations of the batch over objects: the same answers as in the batch of
// one object, and for comments the same as alone.

import type { Case } from './case.ts';
import { type ExpectedAnswer, inBatch } from './oracle.ts';

/** A twin of each case that is a batch, an upsert or a comment. */
export function inObjectBatches(cases: readonly Case[]): readonly Case[] {
  return cases.flatMap((one): readonly Case[] => {
    const isComment = one.needs[0] === 'comments:write';
    if (!isComment && !/^(?:batch |upsert)/.test(one.name)) return [];
    const { expectedAnswer, check, ...rest } = one;
    const twin = {
      ...rest,
      name: `objects ${one.name}`,
      expectedAnswer: inObjects(isComment ? inBatch(expectedAnswer) : expectedAnswer),
      send: (record: Parameters<Case['send']>[0]) => {
        const { path, body } = one.send(record);
        const [, object_type, id] = /^\/objects\/([^/]+)\/records\/([^/]+)/.exec(path) ?? [];
        const { operations } = isComment
          ? {
              operations: [
                { action: 'comment', id: decodeURIComponent(id ?? ''), ...(body as object) },
              ],
            }
          : (body as { readonly operations: readonly object[] });
        const named = operations.map((operation) => ({ ...operation, object_type }));
        return { method: 'POST', path: '/batch', body: { operations: named } } as const;
      },
    };
    if (isComment) return [{ ...twin, needs: ['records:write', 'comments:write'] }];
    return [check === undefined ? twin : { ...twin, check }];
  });
}

function inObjects(expectedAnswer: ExpectedAnswer): ExpectedAnswer {
  if (expectedAnswer.param !== 'object_type') return expectedAnswer;
  return { ...expectedAnswer, param: 'operations[0].object_type' };
}
