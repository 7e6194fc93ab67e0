// Every situation in every place: the text of a person is saved, shown as not saved, or offered back.

import { afterAll, beforeAll, test } from 'vitest';
import { PLACES, SITUATIONS } from '../unsaved.ts';
import { openUnsavedWorld, type UnsavedWorld } from '../unsaved-world.ts';

let world: UnsavedWorld;

beforeAll(async () => {
  world = await openUnsavedWorld();
});
afterAll(() => world?.close());

const TABLE = SITUATIONS.flatMap((situation) =>
  PLACES.map((place) => [situation.name, place.name, situation, place] as const),
);

test.each(TABLE)('%s, in %s', (_, __, situation, place) => world.run(situation, place));
