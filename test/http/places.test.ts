// Room for requests: plenty as long as answers come in time, little when they do not, and none of it
// at the cost of those who ask for little.

import { describe, expect, test } from 'vitest';
import { openPlaces, type Place } from '../../src/http/places.ts';
import { LIMITS } from '../../src/limits.ts';

/** Places on a clock that stands still until it is moved. */
function openWorld() {
  let time = 0;
  const places = openPlaces(() => time);
  const enter = (holder: string): Place | undefined => {
    const place = places.enter();
    if (place === undefined) return undefined;
    if (place.claim(holder)) return place;
    place.leave();
    return undefined;
  };
  const end = (place: Place | undefined, done = true) => {
    place?.answer(done);
    place?.leave();
  };
  return {
    places,
    enter,
    end,
    wait(milliseconds: number) {
      time += milliseconds;
    },
    /** How many of so many requests get a place. */
    fill: (holder: string, count: number) =>
      Array.from({ length: count }, () => enter(holder)).filter((place) => place !== undefined),
  };
}

describe('places', () => {
  test('up to the limit at once, and none beyond, whoever asks', () => {
    const { fill, enter, end, places } = openWorld();
    const held = fill('ann', LIMITS.requestsInFlight + 5);
    expect(held.length).toBe(LIMITS.requestsInFlight);
    expect(enter('bob')).toBeUndefined();
    end(held[0]);
    expect(enter('bob')).toBeDefined();
    expect(places.inFlight()).toBe(LIMITS.requestsInFlight);
  });

  test('when nobody is answered, a hundred may wait and those with their share are refused', () => {
    const { fill, wait, enter } = openWorld();
    fill('ann', 300);
    wait(900);
    expect(fill('ann', 10).length).toBe(10);
    wait(200);
    expect(fill('ann', 10)).toEqual([]);
    expect(enter('bob')).toBeDefined();
  });

  test('late answers leave room for what was answered lately', () => {
    const { fill, wait, end, places, enter } = openWorld();
    const held = fill('ann', 900);
    wait(600);
    // 900 in 600 ms were answered, all of them late: but nobody waits any more.
    for (const place of held) end(place);
    fill('ann', 200);
    expect(places.most()).toBe(LIMITS.requestsInFlight);
    const again = fill('ann', 700);
    for (let turn = 0; turn < 3; turn += 1) {
      wait(550);
      for (const place of again.splice(0, 200)) end(place);
      enter('ann');
    }
    // 200 in 550 ms are 145 in 400.
    expect(places.most()).toBe(145);
  });

  test('few requests are let in however late their answers are', () => {
    const { fill, wait, end, places } = openWorld();
    for (let turn = 0; turn < 10; turn += 1) {
      const held = fill('ann', 90);
      expect(held.length).toBe(90);
      wait(3000);
      for (const place of held) end(place);
    }
    expect(places.most()).toBe(LIMITS.requestsInFlight);
  });

  test('what was refused for want of time counts as late, not as answered', () => {
    const { fill, wait, end, places, enter } = openWorld();
    const held = fill('ann', 400);
    wait(1000);
    for (const place of held.splice(0, 250)) end(place, false);
    enter('ann');
    expect(places.most()).toBe(100);
  });

  test('room comes back when answers are in time again', () => {
    const { fill, wait, end, places, enter } = openWorld();
    const held = fill('ann', 300);
    wait(1000);
    end(enter('bob'));
    expect(places.most()).toBe(100);
    for (const place of held) end(place);
    for (let turn = 0; turn < 4; turn += 1) {
      wait(200);
      end(enter('ann'));
    }
    expect(places.most()).toBe(LIMITS.requestsInFlight);
    expect(places.inFlight()).toBe(0);
  });

  test('leaving twice and answering before anybody is known do no harm', () => {
    const { places } = openWorld();
    const place = places.enter() as Place;
    place.answer(true);
    place.leave();
    place.leave();
    expect(places.inFlight()).toBe(0);
  });
});
