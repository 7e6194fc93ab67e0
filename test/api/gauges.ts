// An object with a field of every type, in addition to those of the world: for tests that try each type through the
// interface.

import { afterAll, beforeAll } from 'vitest';
import { FIELD_TYPES, type FieldType } from '../../src/model/values/field-types.ts';
import type { Client } from '../client.ts';
import { neededWords } from '../sample-definition.ts';
import { ACME, openWorldWith, type World } from '../world.ts';

const typeWords = (type: FieldType) => neededWords(type, 'companies', [{ value: 'red' }]);

const GAUGES = {
  name: 'Gauges',
  singular_name: 'Gauge',
  display_field: 'label',
  fields: {
    label: { type: 'text' },
    note: { type: 'text', storage: 'jsonb' },
    ...Object.fromEntries(FIELD_TYPES.map((type) => [`a_${type}`, { type, ...typeWords(type) }])),
  },
};

export interface GaugeWorld {
  readonly world: World;
  /** May do everything. */
  readonly ada: Client;
}

/** Open a world with `gauges` before the tests of a file and close it afterwards. */
export function useGauges(): GaugeWorld {
  const opened: { -readonly [Key in keyof GaugeWorld]?: GaugeWorld[Key] } = {};
  beforeAll(async () => {
    const objects = { ...ACME.objects, gauges: GAUGES };
    opened.world = await openWorldWith({ ...ACME, objects });
    opened.ada = await opened.world.as('ada');
  });
  afterAll(() => opened.world?.close());
  return opened as GaugeWorld;
}
