// Code that is loaded on use, also where the network is gone for a while: it is requested again. A lasting failure
// most likely means a build that is no longer there; the router then reloads the application.

/** Milliseconds before it is requested again although there is a network: the service may be starting. */
const PAUSES = [1000, 3000];

export async function loadCode<Code>(find: () => Promise<Code>): Promise<Code> {
  const pauses = [...PAUSES];
  for (;;) {
    try {
      return await find();
    } catch (error) {
      const pause = navigator.onLine ? pauses.shift() : undefined;
      if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, pause));
      else if (navigator.onLine) throw error;
      else await untilOnline();
    }
  }
}

function untilOnline(): Promise<unknown> {
  return new Promise((resolve) => addEventListener('online', resolve, { once: true }));
}
