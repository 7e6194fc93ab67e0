// The content of a dashboard: reports in an order, each with a width (docs/design/reports.md). Pure.

import { errorFromProblems, type Problem } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import { differences, patched } from '../write/patch.ts';
import type { VIEW_SHARES } from './view-plan.ts';

/** A report on a dashboard; `width` counts columns of the page. */
export interface Tile {
  readonly view_id: string;
  readonly width: number;
}

/** The fields that its owner can change. */
export interface DashboardFields {
  readonly name: string;
  readonly shared: (typeof VIEW_SHARES)[number];
  readonly tiles: readonly Tile[];
}

export interface DashboardRow extends DashboardFields {
  readonly id: string;
  readonly owner_user_id: number;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export type DashboardPatch = {
  readonly [Key in keyof DashboardFields]?: DashboardFields[Key] | undefined;
};

/** A dashboard as it will be. Errors: `validation_failed`. */
export function planDashboardChange(
  before: DashboardFields,
  patch: DashboardPatch,
): {
  readonly after: DashboardFields;
  readonly changed_fields: readonly (keyof DashboardFields)[];
} {
  const { name, shared, tiles } = before;
  const fields = { name, shared, tiles };
  const sent = patch.tiles === undefined ? patch : { ...patch, tiles: canonical(patch.tiles) };
  const after = patched(fields, sent);
  const repeated = after.tiles.flatMap(({ view_id }, index) => {
    const isRepeated = after.tiles.findIndex((one) => one.view_id === view_id) !== index;
    return isRepeated ? [problemAt(index, 'validation_failed', say('report_repeated'))] : [];
  });
  if (repeated.length > 0) throw errorFromProblems(repeated);
  return { after, changed_fields: differences(fields, after) };
}

/** Ids of reports that were not there before: the others stay, also when they are gone. */
export function addedReports(before: DashboardFields, after: DashboardFields): readonly string[] {
  const known = new Set(before.tiles.map(({ view_id }) => view_id));
  return after.tiles.map(({ view_id }) => view_id).filter((id) => !known.has(id));
}

/** Errors: `invalid_write` for added reports that the caller does not see. */
export function requireReports(
  { tiles }: DashboardFields,
  added: readonly string[],
  seen: ReadonlySet<string>,
): void {
  const problems = tiles.flatMap(({ view_id }, index) => {
    if (!added.includes(view_id) || seen.has(view_id)) return [];
    return [problemAt(index, 'invalid_write', say('report_not_found'))];
  });
  if (problems.length > 0) throw errorFromProblems(problems);
}

/** An id that is not a uuid is kept: no report has it. */
function canonical(tiles: readonly Tile[]): readonly Tile[] {
  return tiles.map(({ view_id, width }) => ({ view_id: parseRecordId(view_id) ?? view_id, width }));
}

function problemAt(index: number, code: Problem['code'], message: Message): Problem {
  return { param: `tiles[${index}].view_id`, code, message };
}
