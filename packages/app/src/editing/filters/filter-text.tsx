// A filter in words, as its chip shows it.

import { Text } from '@mantine/core';
import type { ObjectDefinition, Where } from '@workspace-records/client';
import { Fragment } from 'react';
import { phraseOf, valuesOf } from '../../fields/field-filter.ts';
import { filterOf } from '../../fields/filters.ts';
import { clauseOf } from '../../lib/clauses.ts';
import { useT } from '../../lib/messages/index.ts';
import { periodOf, periodText } from '../../lib/periods.ts';
import type { Condition } from '../../lib/where.ts';
import { useFieldAt } from './filter-fields.ts';

interface FilterTextProps {
  readonly object: ObjectDefinition;
  readonly part: Where;
}

export function FilterText({ object, part }: FilterTextProps) {
  const t = useT();
  const clause = clauseOf(part);
  if (clause === undefined) return t('filter.advanced');
  return (
    <>
      {clause.isNegated && (
        <Text span c="dimmed">
          {t('filter.not')}{' '}
        </Text>
      )}
      {clause.conditions.map((condition, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order is that of the address.
        <Fragment key={index}>
          {index > 0 && (
            <Text span c="dimmed">
              {' '}
              {t('filter.or')}{' '}
            </Text>
          )}
          <ConditionText object={object} condition={condition} />
        </Fragment>
      ))}
    </>
  );
}

interface ConditionTextProps {
  readonly object: ObjectDefinition;
  readonly condition: Condition;
}

/** Values beyond these are counted. */
const SAID = 3;

function ConditionText({ object, condition }: ConditionTextProps) {
  const t = useT();
  const filterField = useFieldAt(object, condition.field);
  const filter = filterField === undefined ? undefined : filterOf(filterField.field);
  const phrase = filter === undefined ? undefined : phraseOf(filter, condition);
  if (filterField === undefined || filter === undefined || phrase === undefined)
    return condition.field;
  const { Word } = filter;
  const values = valuesOf(phrase, condition.value);
  // The identifiers of records say nothing.
  if (condition.field === 'id' && condition.op === 'in')
    return t('filter.these', { count: values.length });
  const period = phrase.takes === 'period' ? periodOf(condition.value) : undefined;
  const between = phrase.takes === 'two' ? ` ${t('filter.and')} ` : ', ';
  return (
    <>
      {filterField.label}{' '}
      <Text span c="dimmed">
        {phrase.sign ?? t(phrase.label)}
      </Text>{' '}
      {period === undefined
        ? values.slice(0, SAID).map((value, index) => (
            <Fragment key={JSON.stringify(value)}>
              {index > 0 && between}
              <Word field={filterField.field} value={value} />
            </Fragment>
          ))
        : periodText(period, t)}
      {period === undefined && values.length > SAID && ` +${values.length - SAID}`}
    </>
  );
}
