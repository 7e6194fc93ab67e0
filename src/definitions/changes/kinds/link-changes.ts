// Links of a relationship: they go with it, or an end of it holds one at most, or many, from now on. Pure.

import { linkEnds } from '../../../model/definition/compile-relationships.ts';
import type {
  DefinitionDocument,
  RelationshipDefinition,
} from '../../../model/definition/definition.ts';
import type { ObjectModel, WorkspaceModel } from '../../../model/definition/model.ts';
import { ownValue } from '../../../model/text/own-value.ts';
import { identifier, literal, type Sql, sql } from '../../../sql/sql.ts';
import type { ChangeKind } from '../change-kind.ts';
import { type ChangeNotice, change } from '../change-notice.ts';
import { changedKeys } from '../changed-keys.ts';
import type { Phased } from '../column-sql.ts';
import type { Requirement } from '../requirement.ts';
import { dropTrashedLinks } from '../trash-content-sql.ts';
import type { Note } from './note.ts';

interface OfRelationship {
  readonly relationship: string;
}

export interface DropLinks extends OfRelationship {
  readonly kind: 'drop_links';
}

/** The number of links that the ends of a relationship may hold. */
interface LinkLimits extends OfRelationship {
  readonly from_one: boolean;
  readonly to_one: boolean;
}

export interface LimitLinks extends LinkLimits {
  readonly kind: 'limit_links';
}

const ofLinks = Object.freeze({
  path: ({ relationship }: OfRelationship) => `relationships.${relationship}`,
  locks: () => ({ rewritten: ['_links'] }),
});

export const dropLinks: ChangeKind<DropLinks> = Object.freeze({
  ...ofLinks,
  kind: 'drop_links',
  statements: (schema: string, { relationship }: DropLinks): readonly Phased[] => {
    const statement = sql`delete from ${linksOf(schema)} where relationship = ${literal(relationship)}`;
    const statements = [statement, ...dropTrashedLinks(schema, relationship)];
    return statements.map((one) => ({ phase: 'loosen', statement: one }));
  },
  loses: ({ relationship }: DropLinks) => ({ of: 'links' as const, relationship }),
});

export const limitLinks: ChangeKind<LimitLinks> = Object.freeze({
  ...ofLinks,
  kind: 'limit_links',
  statements: (
    schema: string,
    { relationship, from_one, to_one }: LimitLinks,
  ): readonly Phased[] => {
    const ends = sql`from_one = ${flag(from_one)}, to_one = ${flag(to_one)}`;
    const statement = sql`update ${linksOf(schema)} set ${ends} where relationship = ${literal(relationship)}`;
    return [{ phase: 'tighten', statement }];
  },
  rewrittenLinks: ({ relationship }: LimitLinks) => relationship,
});

function linksOf(schema: string): Sql {
  return identifier(schema, '_links');
}

function flag(value: boolean): Sql {
  return value ? sql`true` : sql`false`;
}

interface Compared {
  readonly key: string;
  readonly was: RelationshipDefinition;
  readonly is: RelationshipDefinition | undefined;
}

/** Links are lost with their relationship, and an end that may hold one must not hold more. */
export function findLinks(
  { key, was, is }: Compared,
  before: WorkspaceModel,
  after: DefinitionDocument,
): readonly ((DropLinks | LimitLinks | Note) & ChangeNotice)[] {
  const words = is === undefined ? [] : changedKeys(was, is);
  if (is !== undefined && words.length === 0) return [];
  const summary =
    is === undefined ? `- relationship ${key}` : `~ relationship ${key} (${words.join(', ')})`;
  if (is?.from !== was.from || is.to !== was.to) {
    // With an object its links are given up already.
    const hasBoth = [was.from, was.to].every((type) => ownValue(after.objects, type));
    const loss = hasBoth ? `relationship:${key}` : null;
    return [change({ kind: 'drop_links', relationship: key }, summary, { loss })];
  }
  if (is.cardinality === was.cardinality) {
    return [change({ kind: 'note', path: `relationships.${key}` }, summary)];
  }
  const limits = { relationship: key, ...linkEnds(is.cardinality) };
  const requirements = narrowedEnds(was, limits, before);
  return [change({ kind: 'limit_links', ...limits }, summary, { requirements })];
}

/** The requirements of the ends that may hold fewer links than before. */
function narrowedEnds(
  was: RelationshipDefinition,
  { relationship, from_one, to_one }: LinkLimits,
  before: WorkspaceModel,
): readonly Requirement[] {
  const old = linkEnds(was.cardinality);
  const requirement = (end: 'from' | 'to'): Requirement => {
    const object = before.objects.get(was[end]) as ObjectModel;
    return { kind: 'links_single', object, relationship, end };
  };
  return [
    ...(from_one && !old.from_one ? [requirement('from')] : []),
    ...(to_one && !old.to_one ? [requirement('to')] : []),
  ];
}
