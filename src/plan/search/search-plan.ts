// The decision behind a search over all object types (specification §4.6): the texts the caller may search, the
// owners whose records are in reach, and the fields that a hit may show. The plan is inert data and does not depend
// on the text of the query (search-question.ts); search-sql.ts makes the statement from it.

import type { Field, ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { canReadField, type Planner, reachOf } from '../../model/rights/access.ts';
import type { AnswerSize } from '../../model/values/value-size.ts';
import {
  longColumn,
  mostOfExpansions,
  mostOfRow,
  sizedWithin,
  WHOLE_ANSWER,
} from '../read/answer-size.ts';
import { planHitExpansions } from '../read/expand-plan.ts';
import { type Expansion, type ReachPredicate, reachPredicate } from '../read/read-plan.ts';
import type { ExpandInput } from '../read/record-query.ts';

/** Texts with the same reach: `user_ids` undefined means records of all owners. */
export interface SearchScope {
  /** The sources, as in `SearchedField`. */
  readonly sources: readonly string[];
  readonly user_ids: readonly number[] | undefined;
}

/** The fields that a hit of this object shows: only those that the caller may read. */
export interface SearchTarget {
  readonly object: ObjectModel;
  readonly reach: ReachPredicate;
  readonly display: Field | undefined;
  readonly subtitle: Field | undefined;
  readonly expand: readonly Expansion[];
}

export interface SearchPlan {
  readonly schema: string;
  readonly scopes: readonly SearchScope[];
  readonly targets: readonly SearchTarget[];
  /** The texts that are display values. */
  readonly displays: readonly string[];
  /** The largest size of its hits, where they could be larger. */
  readonly size?: AnswerSize;
}

/** Columns of hits that may be long. */
export const LONG_OF_HITS = [
  { name: 'display', measure: 'text' },
  { name: 'subtitle', measure: 'text' },
] as const;

/** Plan all searches of a caller with this limit; undefined when no record is within their rights. */
export function planSearch(
  model: WorkspaceModel,
  caller: Planner,
  { expand = [], limit }: { readonly expand?: readonly ExpandInput[]; readonly limit: number },
): SearchPlan | undefined {
  const scopes = new Map<string, SearchScope>();
  const targets: SearchTarget[] = [];
  const expandOf = planHitExpansions(model, caller, expand);
  const displays: string[] = [];
  for (const object of model.objects.values()) {
    const reach = reachOf(caller, object, 'read');
    const searched = object.searched.filter(({ field }) => canReadField(caller, object, field));
    const sources = searched.map(({ source }) => source);
    if (reach === null || sources.length === 0) continue;
    const predicate = reachPredicate(caller, object, reach);
    const known = scopes.get(reach)?.sources ?? [];
    scopes.set(reach, { sources: [...known, ...sources], user_ids: predicate.user_ids });
    displays.push(...searched.filter(({ kind }) => kind === 'display').map(({ source }) => source));
    const shown = { expand: expandOf(object), ...shownFields(caller, object) };
    targets.push({ object, reach: predicate, ...shown });
  }
  if (targets.length === 0) return undefined;
  const plan = { schema: model.schema, scopes: [...scopes.values()], targets, displays };
  const isSmall = limit * Math.max(...targets.map(mostOfHit)) <= WHOLE_ANSWER.page;
  return isSmall ? plan : { ...plan, targets: targets.map(sized), size: WHOLE_ANSWER };
}

function mostOfHit({ display, subtitle, expand }: SearchTarget): number {
  const shown = [display, subtitle].filter((field) => field !== undefined);
  return mostOfRow(longColumn('', shown)) + mostOfExpansions(expand);
}

function sized(target: SearchTarget): SearchTarget {
  return { ...target, expand: sizedWithin(WHOLE_ANSWER, target.expand) };
}

function shownFields(
  caller: Planner,
  object: ObjectModel,
): Pick<SearchTarget, 'display' | 'subtitle'> {
  const display = object.fields.get(object.display_field ?? '');
  return {
    display: display && canReadField(caller, object, display) ? display : undefined,
    subtitle: object.subtitles.find((field) => canReadField(caller, object, field)),
  };
}
