// Repeats work that was planned by a definition which was replaced meanwhile (D392).

import { isDefinitionChanged, namesAbsent } from '../../errors.ts';

/** Work that plans by a definition, and has made no change when it fails. */
interface Planned<Result> {
  work(): Promise<Result>;
  /** The revision by which the work plans next; undefined without a workspace. */
  revision(): number | undefined;
}

/** Attempts, when the definition changes each time. */
const ATTEMPTS = 5;

/**
 * The result of the work. It is repeated after `renew` when it says that the definition has changed, and when a
 * statement names what does not exist and `renew` finds another revision in force.
 */
export async function repeatByDefinition<Result>(
  { work, revision }: Planned<Result>,
  renew: () => Promise<void>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const before = revision();
    try {
      return await work();
    } catch (error) {
      const isChanged = isDefinitionChanged(error);
      const mayBeChanged = isChanged || (before !== undefined && namesAbsent(error));
      if (attempt === ATTEMPTS || !mayBeChanged) throw error;
      await renew();
      if (!isChanged && revision() === before) throw error;
    }
  }
}
