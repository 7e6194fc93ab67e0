// What applying a definition document would change, as data: steps the database has to take, what
// they lose, and what must hold before them. What a step does is in the module of its kind (kinds/). Pure.

import type { Step } from './kinds/index.ts';
import type { Requirement } from './requirement.ts';

export type Change = Step & ChangeNotice;

/** What a change is for those who apply it, besides its step. */
export interface ChangeNotice {
  /** One line of the plan; its first character is `+`, `-` or `~`. */
  readonly summary: string;
  /** The name that --allow-drop has to give, e.g. `deals.close_value`, when data would be lost. */
  readonly loss: string | null;
  /** Why the change cannot be made at all. */
  readonly refusal: string | null;
  /** True: over HTTP the refusal is a conflict. */
  readonly conflicts?: boolean;
  /** All of them must hold. */
  readonly requirements: readonly Requirement[];
  /** What does not have to hold; the plan counts the records of which it does not. */
  readonly expectations?: readonly Requirement[];
}
