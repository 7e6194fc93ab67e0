// The events that a reader has had, so that it gets each once although the service may send it again.

/** Ids that are remembered: several of the largest pages. */
const REMEMBERED = 5000;

interface Identified {
  readonly id?: string;
  readonly record_id?: string;
}

export interface SeenIds {
  /** False: the reader has had the event. */
  isNew(event: Identified): boolean;
}

export function openSeenIds(): SeenIds {
  const seen = new Set<string>();
  return {
    isNew({ id, record_id }) {
      // Events of rights and definitions pass each time: a reader that follows one twice only reads again.
      if (id === undefined || record_id === undefined) return true;
      if (seen.has(id)) return false;
      seen.add(id);
      const [oldest] = seen;
      if (seen.size > REMEMBERED && oldest !== undefined) seen.delete(oldest);
      return true;
    },
  };
}
