// Counts the violations that prevent a change of the definition: rows of `value` and `records`, none when the
// change may be made. Pure.

import type { Field } from '../../model/definition/model.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import { equalitySql } from '../../sql/read/where-sql.ts';
import { EMPTY, identifier, joinSql, literal, type Sql, sql } from '../../sql/sql.ts';
import type { FittingValues, Requirement } from './requirement.ts';

/** Violations of a requirement, at most 20. */
export function requirementSql(
  schema: string,
  requirement: Exclude<Requirement, FittingValues>,
): Sql {
  const table = identifier(schema, requirement.object.table);
  switch (requirement.kind) {
    case 'options_unused': {
      const { field, values } = requirement;
      const source = sql`select ${optionsSql(field)} as value from ${table}`;
      return countSql(source, sql`value = any(${values}::text[])`);
    }
    case 'statuses_unused': {
      const { statuses, type } = requirement;
      const ofType = type === undefined ? [] : [sql`work_item_type_id = ${type}`];
      const conditions = [sql`value = any(${statuses}::text[])`, ...ofType];
      const source =
        type === undefined ? sql`status as value` : sql`status as value, work_item_type_id`;
      return countSql(sql`select ${source} from ${table}`, joinSql(conditions, ' and '));
    }
    case 'types_unused': {
      const source = sql`select work_item_type_id as value from ${table}`;
      return countSql(source, sql`value = any(${requirement.types}::text[])`);
    }
    case 'links_single': {
      const { relationship, end } = requirement;
      const links = identifier(schema, '_links');
      const repeated = sql`select from ${links} where relationship = ${relationship}::text group by ${identifier(`${end}_id`)} having count(*) > 1`;
      return sql`select null as value, count(*) as records from (${repeated}) r having count(*) > 0`;
    }
    case 'field_empty': {
      const column = valueSql(requirement.field);
      return sql`select null as value, count(*) as records from ${table} where ${column} is not null having count(*) > 0`;
    }
    case 'field_filled': {
      const column = valueSql(requirement.field);
      return sql`select null as value, count(*) as records from ${table} where ${column} is null having count(*) > 0`;
    }
    case 'no_records':
      return sql`select null as value, count(*) as records from ${table} having count(*) > 0`;
    case 'values_distinct': {
      const value = equalitySql(requirement.field, valueSql(requirement.field));
      const repeated = sql`select from ${table} where ${value} is not null group by ${value} having count(*) > 1`;
      return sql`select null as value, count(*) as records from (${repeated}) r having count(*) > 0`;
    }
  }
}

/** The records to check: only these, when there are `ids`. */
export interface Candidates {
  readonly after: string | null;
  readonly limit: number;
  readonly ids?: readonly string[] | undefined;
}

/** Records behind the id `after` whose values may not fit, by id: rows of `id` and `value`. */
export function candidatesSql(
  schema: string,
  { object, field, into }: FittingValues,
  { after, limit, ids }: Candidates,
): Sql {
  const table = identifier(schema, object.table);
  const value =
    field.storage === 'physical'
      ? identifier(field.column)
      : sql`custom_fields -> ${literal(field.custom_key)}`;
  const isOne = ids === undefined ? EMPTY : sql` and id = any(${ids}::uuid[])`;
  const isBehind = after === null ? EMPTY : sql` and id > ${after}::uuid`;
  return sql`select id, ${value} as value from ${table}
    where ${valueSql(field)} is not null and ${misfitSql(field, into)}${isOne}${isBehind}
    order by id limit ${limit}::integer`;
}

/**
 * True for every value that violates the rules, in a column of which only the rules change; for all values where only
 * the field type can decide.
 */
function misfitSql(from: Field, into: Field): Sql {
  const { minimum, maximum, minLength, maxLength, scale, pattern } = into.rules;
  const isPlain = from.type === into.type && from.storage === 'physical';
  if (!isPlain || pattern !== from.rules.pattern) return sql`true`;
  const value = identifier(from.column);
  const misfits = [
    ...(minimum === undefined ? [] : [sql`${value} < ${minimum}::numeric`]),
    ...(maximum === undefined ? [] : [sql`${value} > ${maximum}::numeric`]),
    ...(scale === undefined ? [] : [sql`scale(trim_scale(${value})) > ${scale}::integer`]),
    ...(minLength === undefined ? [] : [sql`char_length(${value}) < ${minLength}::integer`]),
    ...(maxLength === undefined ? [] : [sql`char_length(${value}) > ${maxLength}::integer`]),
  ];
  return misfits.length === 0 ? sql`false` : sql`(${joinSql(misfits, ' or ')})`;
}

function countSql(source: Sql, condition: Sql): Sql {
  return sql`select value, count(*) as records from (${source}) r where ${condition} group by value order by value limit 20`;
}

function valueSql(field: Field): Sql {
  return field.storage === 'physical'
    ? identifier(field.column)
    : sql`(custom_fields ->> ${literal(field.custom_key)})`;
}

/** The options of a record, one row each when the field has several. */
function optionsSql(field: Field): Sql {
  if (!FIELD_TYPE_TRAITS[field.type].isList) return valueSql(field);
  if (field.storage === 'physical') return sql`unnest(${identifier(field.column)})`;
  const list = sql`custom_fields -> ${literal(field.custom_key)}`;
  return sql`jsonb_array_elements_text(case jsonb_typeof(${list}) when 'array' then ${list} else '[]' end)`;
}
