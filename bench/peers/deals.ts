// The records of the comparison and the facts about them: each one a function of its number, so that every peer gets
// the same and every answer can be checked. Pure.

import { companyFields, randomOf, STAGES } from '../records-definition.ts';

/** No value is null: the comparison does not cover the order and the groups of nulls. */
export interface Deal {
  readonly name: string;
  readonly stage: string;
  /** Two decimals. */
  readonly amount: number;
  /** `2026-11-21`. */
  readonly close_date: string;
  readonly priority: string;
}

/** The filter of the list: deals of a stage that are worth this much or more. */
export interface Selection {
  readonly stage: string;
  readonly amount: number;
}

/** The aggregate of each stage. */
export interface StageTotal {
  readonly stage: string;
  readonly count: number;
  readonly sum: number;
}

export const PAGE = 25;
export const BATCH = 100;
const GETS = 500;
const PRIORITIES = ['low', 'normal', 'high', 'urgent'];
/** New deals have other numbers than those that are there at first. */
const NEW = 100_000_000;

/** Deal `number`; stages, amounts and dates are as uneven as in real life. */
function dealOf(number: number): Deal {
  const random = randomOf(number, 21);
  const day = Date.UTC(2026, 10, 1) - Math.floor(1200 * random()) * 86_400_000;
  return {
    name: String(companyFields(number).name),
    stage: STAGES[Math.floor(STAGES.length * random() ** 1.5)] as string,
    amount: Math.round(100 * Math.exp(6 + 5 * random())) / 100,
    close_date: new Date(day).toISOString().slice(0, 10),
    priority: PRIORITIES[Math.floor(PRIORITIES.length * random() ** 2)] as string,
  };
}

/** Deals `from` up to but not including `to`. */
export function dealsOf(from: number, to: number): readonly Deal[] {
  return Array.from({ length: to - from }, (_, index) => dealOf(from + index));
}

export const NEW_DEALS = dealsOf(NEW, NEW + 100);

export const NEW_BATCHES = Array.from({ length: 10 }, (_, index) => {
  const from = NEW + BATCH * (index + 1);
  return dealsOf(from, from + BATCH);
});

export const SELECTIONS: readonly Selection[] = Array.from({ length: 100 }, (_, index) => {
  const random = randomOf(index, 22);
  const stage = STAGES[Math.floor(random() * STAGES.length)] as string;
  return { stage, amount: Math.round(random() * 10_000) };
});

/** Numbers of the deals that are got, from all over the table. */
export function placesToGet(count: number): readonly number[] {
  const random = randomOf(count, 23);
  return Array.from({ length: Math.min(GETS, count) }, () => Math.floor(random() * count));
}

/** The close dates of the page of a selection: they do not depend on how equals are ordered. */
export function datesOf(deals: readonly Deal[], { stage, amount }: Selection): readonly string[] {
  return deals
    .filter((deal) => deal.stage === stage && deal.amount >= amount)
    .map((deal) => deal.close_date)
    .sort((a, b) => (a < b ? 1 : -1))
    .slice(0, PAGE);
}

/** The number of deals that a peer must hold in each stage, and their value. */
export interface Ledger {
  add(deals: readonly Deal[]): void;
  totals(): readonly StageTotal[];
}

export function openLedger(): Ledger {
  const stages = new Map<string, { count: number; cents: number }>();
  return {
    add(deals) {
      for (const { stage, amount } of deals) {
        const { count, cents } = stages.get(stage) ?? { count: 0, cents: 0 };
        stages.set(stage, { count: count + 1, cents: cents + Math.round(100 * amount) });
      }
    },
    totals: () =>
      [...stages].map(([stage, { count, cents }]) => ({ stage, count, sum: cents / 100 })),
  };
}
