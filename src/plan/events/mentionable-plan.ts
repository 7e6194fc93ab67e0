// The people that a comment on a record can mention: those who can read it, by name. Pure.

import type { ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { type Caller, rolesThatRead } from '../../model/rights/access.ts';
import type { ReadPlan } from '../read/read-plan.ts';
import { planRecord } from './comment-plan.ts';

export interface MentionablePlan {
  /** The record, which must exist and be readable. */
  readonly source: ReadPlan;
  readonly roles: ReturnType<typeof rolesThatRead>;
  /** A part of the name; undefined: all. */
  readonly text: string | undefined;
  readonly limit: number;
}

export interface MentionableRequest extends Pick<MentionablePlan, 'text' | 'limit'> {
  /** Id of the record as the client sent it. */
  readonly id: string;
}

export function planMentionable(
  model: WorkspaceModel,
  caller: Caller,
  object: ObjectModel,
  { id, text, limit }: MentionableRequest,
): MentionablePlan {
  const source = planRecord(model, caller, object, id);
  return { source, roles: rolesThatRead(model, object), text, limit };
}
