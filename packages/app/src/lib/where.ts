// Conditions as trees, in the form of the interface. Pure.

import {
  FILTER_OPERATORS,
  type FilterOperators,
  type FilterScalar,
  LIMITS,
  WHERE_OPERATORS,
  type Where,
} from '@workspace-records/client';

export type Condition = Extract<Where, { field: string }>;
export type Operator = Condition['op'];

export type PlainFilters = Readonly<Record<string, FilterOperators<FilterScalar>>>;

export function isCondition(part: Where): part is Condition {
  return 'field' in part;
}

/** The conditions of a tree, in its order. */
export function conditionsOf(part: Where): readonly Condition[] {
  if ('field' in part) return [part];
  if ('not' in part) return conditionsOf(part.not);
  return ('all' in part ? part.all : part.any).flatMap(conditionsOf);
}

/** One tree of parts that must all be true; undefined when there are none. */
export function treeOf(parts: readonly Where[]): Where | undefined {
  const [first, ...others] = parts;
  return others.length === 0 ? first : { all: [...parts] };
}

/**
 * Parts that a query string can have as filters, and the others. Of two with the same field and operator, the second
 * is among the others.
 */
export function splitPlain(parts: readonly Where[]): {
  readonly filters: PlainFilters;
  readonly others: readonly Where[];
} {
  const filters: Record<string, Record<string, unknown>> = Object.create(null);
  const treeParts: Where[] = [];
  let count = 0;
  for (const part of parts) {
    const isTaken = 'field' in part && filters[part.field]?.[part.op] !== undefined;
    if (!isPlain(part) || isTaken || count === LIMITS.filters) treeParts.push(part);
    else {
      filters[part.field] = { ...filters[part.field], [part.op]: part.value };
      count += 1;
    }
  }
  return { filters: filters as PlainFilters, others: treeParts };
}

/** Filters first, as an address has them: parts that are read from one are in this order. */
export function orderedParts(parts: readonly Where[]): readonly Where[] {
  const { others } = splitPlain(parts);
  const plain = parts.filter((part) => !others.includes(part)) as Condition[];
  const keys = [...new Set(plain.map(({ field }) => field))];
  return [...keys.flatMap((key) => plain.filter(({ field }) => field === key)), ...others];
}

function isPlain(part: Where): part is Condition {
  if (!('field' in part) || part.field.includes('.')) return false;
  if (!(FILTER_OPERATORS as readonly string[]).includes(part.op)) return false;
  const { value } = part;
  if (part.op !== 'in') return isScalar(value);
  return Array.isArray(value) && value.length > 0 && value.every(isListed);
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Between commas an empty text would be none. */
function isListed(value: unknown): boolean {
  return isScalar(value) && value !== '';
}

export interface ParsedTree {
  readonly parts: readonly Where[];
  /** Unknown fields, and parts that are not conditions. */
  readonly dropped: readonly string[];
}

/** A tree from outside: conditions without a meaning here are left out, and named. */
export function parseTree(given: unknown, isKnown: (path: string) => boolean): ParsedTree {
  const dropped: string[] = [];
  let count = 0;
  const parsed = parsePart(given, 0);
  return { parts: parsed === undefined ? [] : 'all' in parsed ? parsed.all : [parsed], dropped };

  function parsePart(part: unknown, level: number): Where | undefined {
    const clause = (typeof part === 'object' && part !== null ? part : {}) as Record<
      string,
      unknown
    >;
    if (level <= LIMITS.whereLevels && Object.keys(clause).length === 1) {
      if (Array.isArray(clause.all)) return { all: partsOf(clause.all, level + 1) };
      if (Array.isArray(clause.any)) {
        const any = partsOf(clause.any, level + 1);
        return any.length === 0 ? undefined : { any };
      }
      const not = clause.not === undefined ? undefined : parsePart(clause.not, level + 1);
      if (not !== undefined) return { not };
      if (clause.not !== undefined) return undefined;
    }
    return parseCondition(clause);
  }

  function partsOf(given: readonly unknown[], level: number): Where[] {
    return given.flatMap((part) => parsePart(part, level) ?? []);
  }

  function parseCondition({ field, op, value }: Record<string, unknown>): Condition | undefined {
    count += 1;
    const isMeant =
      count <= LIMITS.conditions &&
      typeof field === 'string' &&
      isKnown(field) &&
      (WHERE_OPERATORS as readonly unknown[]).includes(op) &&
      value !== undefined;
    if (isMeant) return { field, op: op as Operator, value };
    dropped.push(typeof field === 'string' ? field : 'where');
    return undefined;
  }
}
