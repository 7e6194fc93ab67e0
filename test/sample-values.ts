// The values of each field type and their stored forms; used without a database to test the types and with one to
// test that a written value is the value read.

import { FIELD_TYPES, type FieldType } from '../src/model/values/field-types.ts';
import type { FieldSamples } from './field-samples.ts';

/** The file of a type has its name, so that a new type needs no line here. */
const loaded = await Promise.all(
  FIELD_TYPES.map(async (type) => {
    const { samples } = (await import(`./fields/${type}.ts`)) as { samples: FieldSamples };
    return [type, samples] as const;
  }),
);

export const SAMPLES = Object.fromEntries(loaded) as Readonly<Record<FieldType, FieldSamples>>;

export const ACCEPTED = ofEach(({ accepted }) => accepted);
/** Values that a field of the type refuses when they are written. */
export const REFUSED = ofEach(({ refused }) => refused);

function ofEach<Part>(part: (samples: FieldSamples) => Part): Readonly<Record<FieldType, Part>> {
  const entries = loaded.map(([type, samples]) => [type, part(samples)]);
  return Object.fromEntries(entries) as Readonly<Record<FieldType, Part>>;
}
