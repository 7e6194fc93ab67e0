// The time that a connection slot is held, by the mean of the recent ones and by those that are held now. Numbers
// only; fair-queue.ts assigns the slots.

export interface SlotTimes {
  /** A slot was acquired; returns the time of it. */
  begin(): number;
  /** The slot that was acquired at that time is released; returns the milliseconds it was held. */
  end(began: number): number;
  /** Milliseconds that the next slots are expected to be held. */
  expected(): number;
}

/** The weight of one slot in the mean of the recent ones. */
const WEIGHT = 0.1;

export function openSlotTimes(): SlotTimes {
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
    // Slots that are held now may take longer than any before, and are not released yet.
    expected: () =>
      held === 0 ? mean : Math.max(mean, performance.now() - sumOfBeginnings / held),
  };
}
