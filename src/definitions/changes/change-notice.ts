// What a change is for those who apply it, besides its step: its line of the plan, what is lost, what must hold. Pure.

import type { Requirement } from './requirement.ts';

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

/** Why a change cannot be made, or what must hold for it. */
export interface Notice {
  readonly loss?: string | null;
  readonly refusal?: string;
  /** True: existing data blocks it, and the document is valid. */
  readonly conflicts?: boolean;
  readonly requirements?: readonly Requirement[];
  readonly expectations?: readonly Requirement[];
}

/** A step with its line of the plan, which starts with `+`, `-` or `~`. */
export function change<const Step extends { readonly kind: string }>(
  step: Step,
  summary: string,
  notice: Notice = {},
): Step & ChangeNotice {
  const { loss = null, refusal = null, requirements = [], ...about } = notice;
  return { ...step, summary, loss, refusal, requirements, ...about };
}

/** Names that a line of the plan tells. */
const MOST_NAMED = 50;

/** In one line; of many names the first ones. */
export function named(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(', ');
  const more = names.length - MOST_NAMED;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
