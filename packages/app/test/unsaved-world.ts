// The world of the tests of unsaved edits, with a network that can be cut.

import { onTestFinished } from 'vitest';
import { openBreakableNetwork } from './breakable-network.ts';
import { openBrowserWorld } from './browser-world.ts';
import {
  definitionWith,
  PASSWORD,
  PLACES,
  type Place,
  type Situation,
  type Stage,
} from './unsaved.ts';

interface Begun {
  readonly stage: Stage;
  readonly place: Place;
  readonly isStored: () => Promise<boolean>;
}

export interface UnsavedWorld {
  /** A person who has typed in the place of this position, in a company of its own, and not sent it. */
  begin(at: number): Promise<Begun>;
  run(situation: Situation, place: Place): Promise<void>;
  close(): Promise<void>;
}

export async function openUnsavedWorld(): Promise<UnsavedWorld> {
  const app = await openBrowserWorld();
  const network = await openBreakableNetwork(app.world.port);
  await app.world.apply(definitionWith());
  const mia = await app.world.inSession('mia');
  await mia.put('/me/password', { password: PASSWORD });
  let count = 0;
  async function beginIn(place: Place): Promise<Stage> {
    count += 1;
    const name = `Company ${count}`;
    const fields = { name, stage: 'blue', visit: '2027-01-12', remark: 'Before' };
    const id = await app.make('companies', fields);
    const page = await app.as('mia');
    const stage = { app, network, page, company: { id, name } };
    onTestFinished(async () => {
      // Of the network, whose origin is not that of the service.
      await page.evaluate(() => localStorage.clear());
      network.restore();
      await app.world.apply(definitionWith());
    });
    await place.begin(stage);
    return stage;
  }
  return {
    async begin(at) {
      const place = PLACES[at];
      if (place === undefined) throw new Error(`there is no place ${at}`);
      const stage = await beginIn(place);
      return { stage, place, isStored: () => place.isStored(stage) };
    },
    run: async (situation, place) => situation.run(place, await beginIn(place)),
    async close() {
      await network.close();
      await app.close();
    },
  };
}
