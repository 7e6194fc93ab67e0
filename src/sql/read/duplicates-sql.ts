// The statement that finds records which may be the same thing: equal e-mail addresses, telephone numbers, hosts, or names
// but for case, accents, punctuation and legal forms (docs/design/merge.md). Pure text.

import type { Field, ObjectModel } from '../../model/definition/model.ts';
import type { ComparedField, Comparison } from '../../plan/read/duplicate-plan.ts';
import type { ReachPredicate } from '../../plan/read/read-plan.ts';
import { identifier, joinSql, literal, type Sql, sql } from '../sql.ts';
import { allOf, reachSql } from './where-sql.ts';

export interface DuplicatesPlan {
  readonly schema: string;
  readonly object: ObjectModel;
  readonly reach: ReachPredicate;
  readonly fields: readonly ComparedField[];
  /** Records that are compared: the newest. */
  readonly records: number;
  /** Records of one group: a value that more of them have, such as the host of a provider, tells nothing. */
  readonly groupSize: number;
  readonly groups: number;
}

/** `field` and `ids` of each group, those with the most certain field first. */
export function duplicatesSql(plan: DuplicatesPlan): Sql {
  const { schema, object, reach, fields, records, groupSize, groups } = plan;
  const names = fields.map((_, index) => identifier(`k${index}`));
  const keys = fields.map(
    ({ field, comparison }, index) => sql`${KEYS[comparison](textOf(field))} as ${names[index]}`,
  );
  const selects = fields.map(
    ({ field }, index) => sql`select ${index}::integer as place, ${field.key}::text as field,
        array_agg(r.id order by r.id) as ids
      from r where r.${names[index]} <> '' group by r.${names[index]}
      having count(*) between 2 and ${groupSize}::integer`,
  );
  return sql`with r as materialized (
      select t.id, ${joinSql(keys, ', ')} from ${identifier(schema, object.table)} t
      where ${allOf(reachSql(reach))} order by t.created_at desc, t.id desc limit ${records}::integer
    )
    select g.field, g.ids from (${joinSql(selects, ' union all ')}) g
    order by g.place, g.ids limit ${groups}::integer`;
}

function textOf({ storage, column, custom_key }: Field): Sql {
  return storage === 'physical'
    ? sql`t.${identifier(column)}::text`
    : sql`(t.custom_fields ->> ${custom_key}::text)`;
}

/** Words that names of companies have or lack without meaning another one. */
const LEGAL_FORMS =
  'ag|bv|co|corp|corporation|company|gmbh|inc|incorporated|kg|limited|llc|ltd|nv|oy|plc|pty|sa|sarl|se|spa|srl|the|und|and';

const KEYS: Readonly<Record<Comparison, (text: Sql) => Sql>> = {
  email: (text) => sql`lower(${text})`,
  // The last digits: with and without the code of the country.
  phone: (text) => {
    const digits = sql`regexp_replace(${text}, '[^0-9]', '', 'g')`;
    return sql`case when length(${digits}) >= 7 then right(${digits}, 9) end`;
  },
  host: (text) =>
    sql`lower(substring(${text} from '^(?:[A-Za-z]+://)?(?:www[.])?([^/:?#]+[.][^/:?#]+)'))`,
  name: (text) => {
    const plain = sql`lower(regexp_replace(normalize(${text}, nfkd), '[\u0300-\u036f]', '', 'g'))`;
    const forms = literal(`\\m(${LEGAL_FORMS})\\M`);
    return sql`regexp_replace(regexp_replace(${plain}, ${forms}, '', 'g'), '[^[:alnum:]]', '', 'g')`;
  },
};
