// Names of the values that records are grouped by: of options, people, records, periods.

import { useMemo } from 'react';
import { nameOf } from '../../editing/filters/filter-fields.ts';
import { labelOf } from '../../fields/options.ts';
import { isOfPerson, isOfRecord } from '../../lib/field-facts.ts';
import { useFormats } from '../../lib/format.ts';
import { localeOf, useLanguage, useT } from '../../lib/messages/index.ts';
import { useNamesOfPeople, usePeople } from '../../lib/person-names.ts';
import { useRecordNames } from '../../lib/record-names.ts';
import type { Dimension, GroupValue } from './figures.ts';
import { periodName } from './periods-of.ts';

export type NameOfValue = (value: GroupValue) => string;

const NONE: readonly never[] = [];

/** A function that names the values of a dimension; without a dimension it returns an empty text. */
export function useValueNames(dimension: Dimension | undefined): NameOfValue {
  const t = useT();
  const { number } = useFormats();
  const locale = localeOf(useLanguage());
  const field = dimension?.known.field;
  const values = dimension?.values ?? NONE;
  const people = usePersonNames(field !== undefined && isOfPerson(field), values);
  const ids = field !== undefined && isOfRecord(field) ? values.filter(isId) : NONE;
  const records = useRecordNames(String(field?.constraints?.reference_object_type), ids);
  return (value) => {
    if (dimension === undefined || field === undefined) return '';
    if (value === null) return t('groups.none', { name: nameOf(field) });
    const { by } = dimension.group;
    if (by !== undefined) return periodName(String(value), by, locale);
    if (isOfPerson(field))
      return people.get(Number(value)) ?? t('person.unknownOf', { id: String(value) });
    if (isOfRecord(field)) return records.get(String(value)) ?? String(value).slice(0, 8);
    if (typeof value === 'boolean') return t(value ? 'field.yes' : 'field.no');
    return typeof value === 'number' ? number(value) : labelOf(field, value);
  };
}

function isId(value: GroupValue): value is string {
  return typeof value === 'string';
}

function usePersonNames(isWanted: boolean, values: readonly GroupValue[]) {
  const people = usePeople(isWanted);
  const missing = useMemo(() => {
    if (!isWanted || people.size === 0) return NONE;
    return values.map(Number).filter((id) => id > 0 && !people.has(id));
  }, [isWanted, people, values]);
  const others = useNamesOfPeople(missing);
  return useMemo(() => new Map([...people, ...others]), [people, others]);
}
