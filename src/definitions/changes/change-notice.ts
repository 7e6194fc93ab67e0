// The account of a change for the people who apply it, besides its step: its line of the plan, its losses, its
// requirements. Pure.

import type { Requirement } from './requirement.ts';

/** The account of a change for the people who apply it, besides its step. */
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
  /** Requirements that may be violated; the plan counts the records that violate them. */
  readonly expectations?: readonly Requirement[];
  /** The field whose history ends; `*`: that of all fields of the object. */
  readonly ends?: string;
}

/** Why a change cannot be made, or what must hold for it. */
export interface Notice {
  readonly loss?: string | null;
  readonly refusal?: string;
  /** True: existing data blocks it, and the document is valid. */
  readonly conflicts?: boolean;
  readonly requirements?: readonly Requirement[];
  readonly expectations?: readonly Requirement[];
  /** The field whose history ends; `*`: that of all fields of the object. */
  readonly ends?: string;
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

/** Names that a line of the plan lists. */
const MOST_NAMED = 50;

/** The names in one line; of many names the first ones. */
export function named(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(', ');
  const more = names.length - MOST_NAMED;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
