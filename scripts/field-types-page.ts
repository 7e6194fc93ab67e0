// docs/guide/field-types.md: the values, refusals and operators of each field type, computed by the field types from the
// examples of test/fields.

import type { FieldTypeTraits, ValueRules, WhereOperator } from '../src/model/values/field-type.ts';
import { FIELD_TYPE_TRAITS, FIELD_TYPES, type FieldType } from '../src/model/values/field-types.ts';
import { SAMPLES } from '../test/sample-values.ts';

const START = `# Field types

What fields of each type take, and what can be asked of them. \`null\` empties any field that is not required.
The rules of a field (\`required\`, \`unique\`, \`minLength\`, …) come on top; \`GET /v1/objects/{object_type}\` tells
them as \`constraints\`. A value that is refused is 422 \`invalid_write\` in writes and 400 \`invalid_filter\` in filters;
the message is the one below, behind the name of the field.

Operators are those of \`filter[field][op]=value\` and of the body of \`POST …/search\`; those after "in \`where\` also" are
taken by the [conditions](#conditions) of \`POST …/query\` and \`POST …/aggregate/query\` besides. Sorting and filtering need
a field with \`storage: physical\`, which is the default; an \`indexed\` one is fast at any size.
`;

const CONDITIONS = `
## Texts

Texts are stored and answered byte for byte as they were sent. They are compared in NFC, so \`é\` as one character and as
\`e\` with an accent behind it are the same text to \`eq\`, \`ne\`, \`in\`, ranges, \`unique\`, \`match\`, files that update records, and \`q\`.
Case counts, except in \`q\`, \`contains\`, \`starts_with\` and \`ends_with\`; there, both small sigmas are one letter too.
Ranges (\`lt\` … \`gte\`, \`between\`) are in code-point order: \`Z\` is before \`a\`. \`sort\`, groups, \`min\` and \`max\` are in the order
of the workspace's language ([\`sort_locale\`](definition.md)), with numbers in texts by their value: \`apple\`, \`Apfel 9\` and
\`Apfel 10\` stand before \`Zebra\`.

## Conditions

\`where\` is a condition \`{"field": …, "op": …, "value": …}\`, or \`{"all": […]}\`, \`{"any": […]}\`, \`{"not": …}\` over others: at
most 32 conditions, \`all\`, \`any\` and \`not\` at most five levels deep. A condition is true of a record or not, so \`not\` is
true of every record that its condition does not find, empty values too.

| Operator | Finds |
| --- | --- |
| \`eq\`, \`ne\` | this value; any other, empty ones too |
| \`lt\`, \`lte\`, \`gt\`, \`gte\` | values below or above |
| \`in\`, \`not_in\` | one of 1 to 100 values; none of them, empty ones too |
| \`is_null\` | empty values (\`true\`) or others (\`false\`) |
| \`between\` | values from the first to the second of two, both included |
| \`contains\`, \`starts_with\`, \`ends_with\` | texts with this part, whatever its case: 3 characters or more |
| \`has_any\`, \`has_all\` | lists with one, or with all, of 1 to 100 options |
| \`has_none\` | lists with none of them, empty ones too |

Parts of texts are looked for in fields that are \`indexed\` and in the display field; elsewhere the answer is 400
\`invalid_filter\`. The index is made with the definition; until it is
there the answer is the same and takes longer.

\`company_id.tier\` is a field of the record that a reference leads to, in \`where\`, \`sort\` and \`group_by\`. It is empty where the
reference is. It needs the right to read the reference, all records of the other object, and the field: else 403
\`permission_denied\`.

In place of a value:

| Value | Of | Stands for |
| --- | --- | --- |
| \`{"relative": "-30d"}\` | dates, times | the moment of the question, moved by hours, days, weeks, months or years (\`h d w m y\`) |
| \`{"relative": "now"}\` | dates, times | this moment, or today |
| \`{"relative": "start_of_month"}\` | dates, times | the first moment of the \`day\`, \`week\`, \`month\`, \`quarter\` or \`year\`; \`end_of_…\` the last |
| \`{"relative": "start_of_month-1m"}\` | dates, times | the same, moved |
| \`{"me": true}\` | users | who asks |
| \`{"my_teams": true}\` | users, in lists | who asks and everybody in a team with them |

Days, weeks (from Monday) and what is longer are those of \`timezone\`, an IANA name such as \`Europe/London\` and not an
abbreviation such as \`BST\`; UTC when it is left out. They begin at their first moment, also where midnight comes twice or is
skipped; the zones are those of PostgreSQL. The pages after the first are seen from the moment of the first.

\`group_by\` of \`POST …/aggregate/query\` takes \`{"field": "created_at", "by": "month", "timezone": "Europe/Berlin"}\` as well, by
\`day\`, \`week\`, \`month\`, \`quarter\` or \`year\`. The column of the result is \`created_at:month\`, its values are the first days of
the periods, such as \`2026-11-01\`.
`;

/** The text of the page. */
export function fieldTypesPage(): string {
  return `${START}${FIELD_TYPES.map(sectionOf).join('')}${CONDITIONS}`;
}

function sectionOf(type: FieldType): string {
  const traits: FieldTypeTraits = FIELD_TYPE_TRAITS[type];
  const examples = SAMPLES[type].page;
  const rules = { maxLength: traits.defaultMaxLength, ...examples.rules } as ValueRules;
  const others = Object.keys(traits.becomes).filter((name) => name !== type);
  const becomes = others.map((name) => `\`${name}\``);
  const lines = [
    `Operators: ${operatorsOf(traits.operators)}${furtherOf(traits)}. ${uses(traits)}`,
    ...(becomes.length === 0 ? [] : [`Can become: ${becomes.join(', ')}.`]),
  ];
  const rows = [
    ...examples.takes.map((value) => `| \`${shown(value)}\` | ${taken(traits, value, rules)} |`),
    ...examples.refuses.map(
      (value) => `| \`${shown(value)}\` | ${refused(traits, value, rules)} |`,
    ),
  ];
  const table = ['| Sent | Then |', '| --- | --- |', ...rows].join('\n');
  return `\n## ${type}\n\n${examples.about}\n\n${lines.join('\n')}\n\n${table}\n`;
}

function furtherOf({ operators, whereOperators }: FieldTypeTraits): string {
  const known: readonly WhereOperator[] = operators;
  const further = whereOperators.filter((operator) => !known.includes(operator));
  return further.length === 0 ? '' : `; in \`where\` also ${operatorsOf(further)}`;
}

function operatorsOf(operators: readonly WhereOperator[]): string {
  return operators.map((operator) => `\`${operator}\``).join(', ');
}

function uses({ sortable, groupable, aggregates }: FieldTypeTraits): string {
  const known = [
    ...(sortable ? ['sorted by'] : []),
    ...(groupable ? ['grouped by'] : []),
    ...aggregates.map((name) => `\`${name}\``),
  ];
  return known.length === 0 ? 'Neither sorted nor grouped by.' : `Also: ${known.join(', ')}.`;
}

function taken(traits: FieldTypeTraits, value: unknown, rules: ValueRules): string {
  const parsed = traits.parse(value, rules);
  if ('problem' in parsed) throw new Error(`${traits.name} refuses ${shown(value)}`);
  const stored = shown(parsed.value);
  return stored === shown(value) ? 'stored as it is' : `stored as \`${stored}\``;
}

function refused(traits: FieldTypeTraits, value: unknown, rules: ValueRules): string {
  const parsed = traits.parse(value, rules);
  if ('value' in parsed) throw new Error(`${traits.name} takes ${shown(value)}`);
  return `refused: ${parsed.problem.text}`;
}

function shown(value: unknown): string {
  return JSON.stringify(value);
}
