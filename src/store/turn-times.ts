// How long a turn at the database is taken for, by what was seen lately and by those that are taken now.
// Numbers only; whose turns they are, and who waits, is decided elsewhere (turns.ts).

export interface TurnTimes {
  /** A turn begins. */
  begin(): number;
  /** The turn that began then is over; the milliseconds it took. */
  end(began: number): number;
  /** Milliseconds that the next turns will be taken for. */
  expected(): number;
}

/** What one turn counts for in the mean of the last ones. */
const WEIGHT = 0.1;

export function openTurnTimes(): TurnTimes {
  let mean = 0;
  let held = 0;
  let sumOfBeginnings = 0;
  return {
    begin() {
      const now = performance.now();
      held += 1;
      sumOfBeginnings += now;
      return now;
    },
    end(began) {
      held -= 1;
      sumOfBeginnings -= began;
      const took = performance.now() - began;
      mean += WEIGHT * (took - mean);
      return took;
    },
    // Those that are taken now may be slower than any before, and are not over yet.
    expected: () =>
      held === 0 ? mean : Math.max(mean, performance.now() - sumOfBeginnings / held),
  };
}
