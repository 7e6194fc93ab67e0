// Where the statuses of a workflow are drawn, and the ways of their moves: by dagre. Pure.

import dagre from '@dagrejs/dagre';
import { targetOf, type WorkflowEntry } from '../../lib/definition/document.ts';
import { gateOf, movesOf, statusesOf } from './workflow-edits.ts';

export interface GraphNode {
  readonly key: string;
  readonly name: string;
  /** The position of the middle of the node. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly isGated: boolean;
  readonly points: readonly Point[];
}

export interface Graph {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

const HEIGHT = 36;
/** Beside the name: the mark of its colour and room at both ends. */
const AROUND = 52;
const CHARACTER = 7.2;
const WIDEST = 28;

/** `TB`: downwards, for narrow screens. */
export function layOutGraph(workflow: WorkflowEntry, direction: 'LR' | 'TB'): Graph {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: direction, nodesep: 28, ranksep: 56, marginx: 16, marginy: 16 });
  const keys = statusesOf(workflow);
  for (const key of keys) {
    const name = workflow.statuses[key]?.name ?? key;
    graph.setNode(key, {
      width: AROUND + Math.min(name.length, WIDEST) * CHARACTER,
      height: HEIGHT,
    });
  }
  const moves = keys.flatMap((from) => movesOf(workflow, from).map((to) => [from, targetOf(to)]));
  for (const [from = '', to = ''] of moves) {
    // The size of a label keeps two ways between the same statuses apart.
    if (workflow.statuses[to] !== undefined)
      graph.setEdge(from, to, { width: 14, height: 14 }, `${from} ${to}`);
  }
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    nodes: keys.map((key) => {
      const { x, y, width: wide, height: high } = graph.node(key);
      return { key, name: workflow.statuses[key]?.name ?? key, x, y, width: wide, height: high };
    }),
    edges: graph.edges().map(({ v: from, w: to, name }) => ({
      from,
      to,
      isGated: gateOf(workflow, from, to) !== undefined,
      points: graph.edge({ v: from, w: to, name: name ?? '' }).points ?? [],
    })),
  };
}

/** A curve through the middles of the ways between the points. */
export function curveOf(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) return '';
  const curves = rest.slice(0, -1).map((point, at) => {
    const next = rest[at + 1] ?? last;
    const isLast = at === rest.length - 2;
    const end = isLast ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${point.x} ${point.y} ${end.x} ${end.y}`;
  });
  return `M${first.x} ${first.y}${curves.length === 0 ? `L${last.x} ${last.y}` : curves.join('')}`;
}

/** The node that is there. */
export function nodeAt({ nodes }: Graph, { x, y }: Point): GraphNode | undefined {
  return nodes.find(
    (node) => Math.abs(node.x - x) <= node.width / 2 && Math.abs(node.y - y) <= node.height / 2,
  );
}

export function shortName(name: string): string {
  return name.length > WIDEST ? `${name.slice(0, WIDEST - 1)}…` : name;
}
