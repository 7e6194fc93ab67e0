// The sample definition with links of every cardinality, a reference of an object to itself, and moves
// that need an approval: for tests of everything a write may touch.

import { mergePatch } from '../src/model/definition/definition.ts';
import { SAMPLE_DOCUMENT } from './sample-definition.ts';

function link(from: string, to: string, cardinality: string): object {
  return { name: `${from} and ${to}`, kind: 'link', from, to, cardinality };
}

export const LINKED_DOCUMENT = mergePatch(SAMPLE_DOCUMENT, {
  objects: {
    gadgets: { fields: { model_id: { type: 'reference', reference_object_type: 'gadgets' } } },
  },
  relationships: {
    uses: link('gadgets', 'parts', 'many_to_many'),
    badge: link('gadgets', 'parts', 'one_to_one'),
    bin: link('gadgets', 'parts', 'many_to_one'),
    spares: link('gadgets', 'parts', 'one_to_many'),
    twins: link('gadgets', 'gadgets', 'one_to_one'),
    peers: link('gadgets', 'gadgets', 'many_to_many'),
  },
  workflows: {
    assembly: {
      statuses: {
        new: { transitions: ['built', 'new', 'scrapped'] },
        scrapped: { name: 'Scrapped' },
        sold: {
          transitions: [
            { to: 'built', approvers: { teams: ['North'] } },
            { to: 'new', approvers: { users: ['dora@sample.test'] } },
          ],
        },
      },
    },
  },
});
