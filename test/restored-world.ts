// A world that every test of a file finds as the first one did: it is copied again after each test that left traces.

import { afterAll, afterEach, beforeAll } from 'vitest';
import { openWorld, type World } from './world.ts';

/** `begin` gets each new world. Returns the digest of an unchanged one. */
export function useRestoredWorld(begin: (world: World) => Promise<void>): () => string {
  let frozen: string;
  let world: World | undefined;
  let untouched = '';

  async function open(): Promise<void> {
    world = await openWorld({}, frozen);
    await begin(world);
    untouched = await world.digest();
  }

  beforeAll(async () => {
    frozen = await (await openWorld()).freeze();
    await open();
  });
  afterAll(() => world?.close());
  afterEach(async () => {
    if ((await world?.digest()) === untouched) return;
    await world?.close();
    await open();
  });
  return () => untouched;
}
