// Load shedding: a high limit as long as answers come in time, a low one when they do not, and never at the cost of
// clients that send few requests.

import { describe, expect, test } from 'vitest';
import { type AdmissionTicket, openLoadShedder } from '../../src/http/socket/load-shedder.ts';
import { LIMITS } from '../../src/limits.ts';

/** A load shedder on a clock that moves only on request. */
function openWorld() {
  let time = 0;
  const shedder = openLoadShedder(() => time);
  const admit = (client: string): AdmissionTicket | undefined => {
    const ticket = shedder.admit();
    if (ticket === undefined) return undefined;
    if (ticket.assign(client)) return ticket;
    ticket.release();
    return undefined;
  };
  const end = (ticket: AdmissionTicket | undefined, succeeded = true) => {
    ticket?.complete(succeeded);
    ticket?.release();
  };
  return {
    shedder,
    admit,
    end,
    wait(milliseconds: number) {
      time += milliseconds;
    },
    /** The number of requests, of so many, that get a ticket. */
    fill: (client: string, count: number) =>
      Array.from({ length: count }, () => admit(client)).filter((ticket) => ticket !== undefined),
  };
}

describe('tickets', () => {
  test('up to the limit at once, and none beyond, for any clients', () => {
    const { fill, admit, end, shedder } = openWorld();
    const held = fill('ann', LIMITS.requestsInFlight + 5);
    expect(held.length).toBe(LIMITS.requestsInFlight);
    expect(admit('bob')).toBeUndefined();
    end(held[0]);
    expect(admit('bob')).toBeDefined();
    expect(shedder.inFlight()).toBe(LIMITS.requestsInFlight);
  });

  test('without answers, a hundred may wait and those with their share are refused', () => {
    const { fill, wait, admit } = openWorld();
    fill('ann', 300);
    wait(900);
    expect(fill('ann', 10).length).toBe(10);
    wait(200);
    expect(fill('ann', 10)).toEqual([]);
    expect(admit('bob')).toBeDefined();
  });

  test('late answers lower the limit to what was answered lately', () => {
    const { fill, wait, end, shedder, admit } = openWorld();
    const held = fill('ann', 900);
    wait(600);
    // 900 in 600 ms were answered, all of them late: but none waits any longer.
    for (const ticket of held) end(ticket);
    fill('ann', 200);
    expect(shedder.limit()).toBe(LIMITS.requestsInFlight);
    const again = fill('ann', 700);
    for (let round = 0; round < 3; round += 1) {
      wait(550);
      for (const ticket of again.splice(0, 200)) end(ticket);
      admit('ann');
    }
    // 200 in 550 ms are 145 in 400.
    expect(shedder.limit()).toBe(145);
  });

  test('few requests are admitted however late their answers are', () => {
    const { fill, wait, end, shedder } = openWorld();
    for (let round = 0; round < 10; round += 1) {
      const held = fill('ann', 90);
      expect(held.length).toBe(90);
      wait(3000);
      for (const ticket of held) end(ticket);
    }
    expect(shedder.limit()).toBe(LIMITS.requestsInFlight);
  });

  test('a request that was refused for lack of time counts as late, not as answered', () => {
    const { fill, wait, end, shedder, admit } = openWorld();
    const held = fill('ann', 400);
    wait(1000);
    for (const ticket of held.splice(0, 250)) end(ticket, false);
    admit('ann');
    expect(shedder.limit()).toBe(100);
  });

  test('the limit rises when answers are in time again', () => {
    const { fill, wait, end, shedder, admit } = openWorld();
    const held = fill('ann', 300);
    wait(1000);
    end(admit('bob'));
    expect(shedder.limit()).toBe(100);
    for (const ticket of held) end(ticket);
    for (let round = 0; round < 4; round += 1) {
      wait(200);
      end(admit('ann'));
    }
    expect(shedder.limit()).toBe(LIMITS.requestsInFlight);
    expect(shedder.inFlight()).toBe(0);
  });

  test('a ticket that moves to another client is counted there, and given back there', () => {
    const { shedder, fill, wait, end, admit } = openWorld();
    const held = fill('address', 300);
    for (const ticket of held) ticket.move('ann');
    wait(1100);
    end(held.pop());
    expect(admit('ann')).toBeUndefined();
    expect(admit('address')).toBeDefined();
    for (const ticket of held) end(ticket);
    expect(shedder.inFlight()).toBe(1);
    held[0]?.move('bob');
    expect(admit('bob')).toBeDefined();
  });

  test('releasing a ticket twice and completing it before it is assigned do no harm', () => {
    const { shedder } = openWorld();
    const ticket = shedder.admit() as AdmissionTicket;
    ticket.complete(true);
    ticket.release();
    ticket.release();
    expect(shedder.inFlight()).toBe(0);
  });
});
