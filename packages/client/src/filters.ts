// Filters as objects, and as the query string of the list endpoint has them.

export type FilterScalar = string | number | boolean;

export interface FilterOperators<Scalar = FilterScalar> {
  readonly eq?: Scalar | undefined;
  readonly ne?: Scalar | undefined;
  readonly lt?: Scalar | undefined;
  readonly lte?: Scalar | undefined;
  readonly gt?: Scalar | undefined;
  readonly gte?: Scalar | undefined;
  readonly in?: readonly Scalar[] | undefined;
  readonly is_null?: boolean | undefined;
}

/** A value (equals), null (is empty), or operators. */
export type Filter<Scalar = FilterScalar> = Scalar | null | FilterOperators<Scalar>;

/** `filter[amount][gte]=1000&…`; empty when there is no filter. */
export function filterText(filters: object): string {
  return Object.entries(filters)
    .flatMap(([key, filter]: [string, Filter | undefined]) => {
      return conditionsOf(filter).map(([operator, value]) => {
        const name = `filter[${encodeURIComponent(key)}][${encodeURIComponent(operator)}]`;
        return `${name}=${encodeURIComponent(value)}`;
      });
    })
    .join('&');
}

function conditionsOf(filter: Filter | undefined): (readonly [string, string])[] {
  if (filter === undefined) return [];
  if (filter === null) return [['is_null', 'true']];
  if (typeof filter !== 'object') return [['eq', String(filter)]];
  return Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([operator, value]) => [operator, operandText(value)]);
}

/** A list has commas between its values; quotation marks around one keep its own. */
function operandText(value: FilterScalar | readonly FilterScalar[]): string {
  if (typeof value !== 'object') return String(value);
  return value.map((item) => quoted(String(item))).join(',');
}

function quoted(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
