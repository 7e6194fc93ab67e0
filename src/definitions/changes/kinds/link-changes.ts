// Links of a relationship: they go with it, or an end of it holds one at most, or many, from now on. Pure.

import { identifier, literal, type Sql, sql } from '../../../sql/sql.ts';
import type { ChangeKind } from '../change-kind.ts';
import type { Phased } from '../column-sql.ts';

interface OfRelationship {
  readonly relationship: string;
}

export interface DropLinks extends OfRelationship {
  readonly kind: 'drop_links';
}

/** How many links of a relationship its ends may hold. */
export interface LinkLimits extends OfRelationship {
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
    return [{ phase: 'loosen', statement }];
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
