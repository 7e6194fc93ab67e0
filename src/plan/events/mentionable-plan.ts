// The people that a comment on a record can mention: those who can read it, by name. Pure.

import type { ObjectModel, Reach, WorkspaceModel } from '../../model/definition/model.ts';
import { accessOf, type Caller } from '../../model/rights/access.ts';
import type { ReadPlan } from '../read/read-plan.ts';
import { planRecord } from './comment-plan.ts';

export interface MentionablePlan {
  /** The record, which must exist and be readable. */
  readonly source: ReadPlan;
  /** The roles that read records of the object, by their reach; a person has the widest reach of their roles. */
  readonly roles: Readonly<Record<Reach, readonly string[]>>;
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
  const readersWith = (reach: Reach) =>
    [...model.roles.keys()].filter((role) => reachOfRole(model, role, object) === reach);
  const roles = {
    own: readersWith('own'),
    team: readersWith('team'),
    organisation: readersWith('organisation'),
  };
  return { source, roles, text, limit };
}

function reachOfRole(model: WorkspaceModel, role: string, { object_type }: ObjectModel) {
  return accessOf(model, [role]).objects.get(object_type)?.reach.read;
}
