// Workflows as the editor changes and draws them, and the statuses that it marks.

import { describe, expect, test } from 'vitest';
import { gateOperatorsOf } from '../../../src/model/rights/gate.ts';
import { FIELD_TYPES } from '../../../src/model/values/field-types.ts';
import { gateFilterOf } from '../src/editing/filters/own-condition.tsx';
import { curveOf, layOutGraph, nodeAt } from '../src/features/workflows/graph-layout.ts';
import {
  gateOf,
  hasMove,
  statusesOf,
  withApprovers,
  withGateWords,
  withMove,
  withNewStatus,
  withStatus,
  withStatusMoved,
} from '../src/features/workflows/workflow-edits.ts';
import { problemsOf } from '../src/features/workflows/workflow-problems.ts';
import type { WorkflowEntry } from '../src/lib/definition/document.ts';
import { DOCUMENT } from './definition-specimen.ts';

const PIPELINE = DOCUMENT.workflows?.pipeline as WorkflowEntry;

describe('edits', () => {
  test('a move comes once and goes', () => {
    const there = withMove(withMove(PIPELINE, 'won', 'open'), 'won', 'open');
    expect(there.statuses.won?.transitions).toEqual(['open']);
    expect(hasMove(withMove(there, 'won', 'open', false), 'won', 'open')).toBe(false);
    expect(withMove(PIPELINE, 'won', 'won')).toBe(PIPELINE);
    expect(withMove(PIPELINE, 'open', 'won', false).statuses.open?.transitions).toEqual(['lost']);
  });

  test('a move with approvers keeps its place, and is open without any', () => {
    const users = ['ada@x.example'];
    const gated = withApprovers(PIPELINE, 'open', 'lost', { users });
    expect(gated.statuses.open?.transitions?.[1]).toEqual({ to: 'lost', approvers: { users } });
    expect(gateOf(PIPELINE, 'open', 'won')?.approvers).toEqual({ teams: ['North'] });
    const open = withApprovers(PIPELINE, 'open', 'won', { users: [], teams: [] });
    expect(open.statuses.open?.transitions).toEqual(['won', 'lost']);
  });

  test('a gate keeps its rules when its approvers change', () => {
    const when = { field: 'amount', op: 'gt', value: 1000 };
    const strict = withGateWords(PIPELINE, 'open', 'won', { required: 2, from: 'each', when });
    const approvers = { teams: ['South'] };
    expect(gateOf(withApprovers(strict, 'open', 'won', approvers), 'open', 'won')).toEqual({
      ...{ to: 'won', approvers, required: 2, from: 'each', when },
    });
    const plain = { required: undefined, from: undefined, when: undefined };
    expect(withGateWords(strict, 'open', 'won', plain)).toEqual(PIPELINE);
  });

  test('a status is added, ordered, coloured', () => {
    const { key, workflow } = withNewStatus(PIPELINE, 'Won');
    expect([key, statusesOf(workflow)]).toEqual(['won_2', ['open', 'won', 'lost', 'won_2']]);
    const moved = withStatusMoved(workflow, 'won_2', -1);
    expect(statusesOf(moved)).toEqual(['open', 'won', 'won_2', 'lost']);
    expect(statusesOf(withNewStatus(moved, 'Last').workflow).at(-1)).toBe('last');
    expect(withStatusMoved(moved, 'open', -1)).toBe(moved);
    const red = withStatus(PIPELINE, 'won', { color: 'red', category: 'done' });
    expect(red.statuses.won).toEqual({ name: 'Won', color: 'red', category: 'done' });
    expect(withStatus(red, 'won', { category: undefined }).statuses.won).toEqual({
      ...{ name: 'Won', color: 'red' },
    });
  });
});

test.each(FIELD_TYPES)('a gate has the conditions of the service: %s', (type) => {
  const offered = gateFilterOf({ type })?.phrases.map(({ op }) => op) ?? [];
  expect(new Set(offered)).toEqual(new Set(gateOperatorsOf(type)));
});

test('unreachable statuses and dead ends are found; an end that is meant is none', () => {
  expect([...problemsOf(PIPELINE)]).toEqual([['won', 'dead_end']]);
  const apart = withNewStatus(withStatus(PIPELINE, 'won', { category: 'done' }), 'Apart').workflow;
  expect([...problemsOf(apart)]).toEqual([['apart', 'unreachable']]);
  // A way in from a status that is unreachable itself is none.
  const { key, workflow } = withNewStatus(withMove(apart, 'apart', 'open'), 'Behind');
  const behind = withMove(workflow, 'apart', key);
  expect([...problemsOf(behind).keys()]).toEqual(['apart', 'behind']);
});

describe('the graph', () => {
  test.each(['LR', 'TB'] as const)('has every status and move inside of it, %s', (direction) => {
    const graph = layOutGraph(PIPELINE, direction);
    expect(graph.nodes.map(({ key }) => key)).toEqual(['open', 'won', 'lost']);
    expect(graph.edges.map(({ from, to, isGated }) => [from, to, isGated])).toEqual(
      expect.arrayContaining([
        ['open', 'won', true],
        ['open', 'lost', false],
        ['lost', 'open', false],
      ]),
    );
    for (const { x, y, width, height } of graph.nodes) {
      expect(x - width / 2).toBeGreaterThanOrEqual(0);
      expect(x + width / 2).toBeLessThanOrEqual(graph.width);
      expect(y + height / 2).toBeLessThanOrEqual(graph.height);
    }
    for (const { points } of graph.edges) expect(curveOf(points)).toMatch(/^M[\d.]+ [\d.]+[QL]/);
    const [first] = graph.nodes;
    expect(nodeAt(graph, { x: first?.x ?? 0, y: first?.y ?? 0 })?.key).toBe('open');
    expect(nodeAt(graph, { x: -5, y: -5 })).toBeUndefined();
  });

  test('two ways between the same statuses are apart', () => {
    const { edges } = layOutGraph(PIPELINE, 'LR');
    const [out, back] = ['open lost', 'lost open'].map((way) =>
      edges.find(({ from, to }) => `${from} ${to}` === way),
    );
    const middle = (points: readonly { readonly y: number }[] = []) =>
      points[Math.floor(points.length / 2)]?.y ?? 0;
    expect(Math.abs(middle(out?.points) - middle(back?.points))).toBeGreaterThan(8);
  });
});
