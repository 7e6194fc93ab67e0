// Definitions that follow one another in tests of races: an object is added, retyped, renamed and dropped.

import { mergePatch } from '../../src/model/definition/definition.ts';
import { ACME } from '../world.ts';

const named = { name: 'Things', singular_name: 'Thing', display_field: 'name', searchable: true };

const withObject = (key: string, more: object, type: string) =>
  mergePatch(ACME, {
    objects: {
      [key]: {
        ...{ ...named, ...more },
        ...{ history: { keep: '30d' }, trash: { keep: '30d' } },
        fields: { name: { type: 'text' }, code: { type } },
      },
    },
    roles: { manager: { objects: { [key]: { read: 'team', create: 'team' } } } },
  });

/** The definitions of a round, each with the object whose records are made after it. */
export const STEPS = [
  { document: withObject('things', {}, 'integer'), key: 'things', drops: [] },
  { document: withObject('things', {}, 'text'), key: undefined, drops: [] },
  {
    document: withObject('items', { renamed_from: 'things' }, 'text'),
    key: 'items',
    drops: [],
  },
  { document: ACME, key: undefined, drops: ['items'] },
] as const;
