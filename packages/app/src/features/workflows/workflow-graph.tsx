// A workflow as a graph: a click on a status opens it, dragging from one to another makes a move between them. The panel
// beside it and the table do the same by keyboard.

import { useMediaQuery } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import type { WorkflowEntry } from '../../lib/definition/document.ts';
import { useT } from '../../lib/messages/index.ts';
import { statusTint } from '../../lib/tints.ts';
import {
  curveOf,
  type Graph,
  type GraphEdge,
  type GraphNode,
  layOutGraph,
  nodeAt,
  type Point,
  shortName,
} from './graph-layout.ts';
import classes from './workflow-graph.module.css';
import type { StatusProblem } from './workflow-problems.ts';
import { PROBLEM_WORDS } from './workflow-words.ts';

interface WorkflowGraphProps {
  readonly workflow: WorkflowEntry;
  readonly problems: ReadonlyMap<string, StatusProblem>;
  readonly chosen: string | undefined;
  readonly onChoose: (status: string) => void;
  readonly onConnect: (from: string, to: string) => void;
}

export function WorkflowGraph(props: WorkflowGraphProps) {
  const { workflow, problems, chosen, onChoose } = props;
  const t = useT();
  const isNarrow = useMediaQuery('(max-width: 48rem)', false, { getInitialValueInEffect: false });
  const graph = useMemo(() => layOutGraph(workflow, isNarrow ? 'TB' : 'LR'), [workflow, isNarrow]);
  const drag = useDrag(graph, props);
  return (
    <section className={classes.place} aria-label={t('workflow.graph')}>
      <svg
        ref={drag.svg}
        className={classes.graph}
        viewBox={`0 0 ${graph.width} ${graph.height}`}
        style={{ width: graph.width, maxWidth: isNarrow ? undefined : '100%' }}
        onPointerMove={drag.onMove}
        onPointerUp={drag.onEnd}
        onPointerCancel={drag.onStop}
      >
        <title>{t('workflow.graph')}</title>
        <Arrow />
        {graph.edges.map((edge) => (
          <Edge key={`${edge.from} ${edge.to}`} edge={edge} isLit={edge.from === chosen} />
        ))}
        {graph.nodes.map((node, at) => (
          <Node
            key={node.key}
            node={node}
            tint={statusTint(workflow.statuses[node.key]?.color, at)}
            isInitial={workflow.initial === node.key}
            isChosen={node.key === chosen}
            isTarget={drag.over === node.key}
            problem={problems.get(node.key)}
            onChoose={() => onChoose(node.key)}
            onGrab={(event) => drag.onGrab(node, event)}
          />
        ))}
        {drag.line !== undefined && <path className={classes.rubber} d={drag.line} />}
      </svg>
    </section>
  );
}

function Arrow() {
  return (
    <defs>
      <marker
        id="workflow-arrow"
        viewBox="0 0 8 8"
        refX="7"
        refY="4"
        markerWidth="7"
        markerHeight="7"
        orient="auto"
      >
        <path d="M1 1 7 4 1 7" className={classes.arrow} />
      </marker>
    </defs>
  );
}

function Edge({ edge, isLit }: { readonly edge: GraphEdge; readonly isLit: boolean }) {
  const middle = edge.points[Math.floor(edge.points.length / 2)];
  return (
    <g
      className={classes.edge}
      data-gated={edge.isGated || undefined}
      data-lit={isLit || undefined}
    >
      <path d={curveOf(edge.points)} markerEnd="url(#workflow-arrow)" />
      {edge.isGated && middle !== undefined && (
        <g transform={`translate(${middle.x - 8} ${middle.y - 8})`} className={classes.lock}>
          <circle cx={8} cy={8} r={9} />
          <path d="M5 7.500h6v4.500H5zm1.200 0V6a1.800 1.800 0 0 1 3.600 0v1.500" />
        </g>
      )}
    </g>
  );
}

interface NodeProps {
  readonly node: GraphNode;
  readonly tint: string;
  readonly isInitial: boolean;
  readonly isChosen: boolean;
  readonly isTarget: boolean;
  readonly problem: StatusProblem | undefined;
  readonly onChoose: () => void;
  readonly onGrab: (event: PointerEvent) => void;
}

function Node(props: NodeProps) {
  const { node, tint, isInitial, isChosen, isTarget, problem, onChoose, onGrab } = props;
  const t = useT();
  const { x, y, width, height, name } = node;
  const words = [name, isInitial && t('workflow.initial'), problem && t(PROBLEM_WORDS[problem])];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onChoose();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an SVG has no buttons.
    <g
      role="button"
      tabIndex={0}
      className={classes.node}
      transform={`translate(${x - width / 2} ${y - height / 2})`}
      aria-label={words.filter(Boolean).join(', ')}
      aria-pressed={isChosen}
      data-problem={problem}
      data-target={isTarget || undefined}
      onKeyDown={onKeyDown}
      onPointerDown={onGrab}
    >
      <rect width={width} height={height} rx={8} className={classes.box} />
      {isInitial && (
        <rect
          x={-4}
          y={-4}
          width={width + 8}
          height={height + 8}
          rx={11}
          className={classes.ring}
        />
      )}
      <circle cx={18} cy={height / 2} r={5} className={classes.dot} data-tint={tint} />
      <text x={32} y={height / 2 + 4}>
        {shortName(name)}
      </text>
      {problem !== undefined && (
        <g transform={`translate(${width - 9} -7)`} className={classes.sign}>
          <circle cx={8} cy={8} r={8} />
          <path d="M8 4.500v4.500m0 2.200v.1" />
        </g>
      )}
    </g>
  );
}

/** Pixels that the pointer may move during a click. */
const SLIP = 5;

interface Held {
  readonly node: GraphNode;
  readonly at: Point;
  readonly isMoved: boolean;
}

function useDrag(graph: Graph, { onChoose, onConnect }: WorkflowGraphProps) {
  const svg = useRef<SVGSVGElement>(null);
  const [held, setHeld] = useState<Held>();
  const placeOf = ({ clientX, clientY }: PointerEvent): Point => {
    const matrix = svg.current?.getScreenCTM();
    if (matrix === null || matrix === undefined) return { x: 0, y: 0 };
    return new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
  };
  const target = held?.isMoved === true ? nodeAt(graph, held.at) : undefined;
  const over = target?.key === held?.node.key ? undefined : target?.key;
  const line =
    held?.isMoved === true ? `M${held.node.x} ${held.node.y}L${held.at.x} ${held.at.y}` : undefined;
  return {
    ...{ svg, over, line },
    onGrab(node: GraphNode, event: PointerEvent) {
      if (event.button !== 0) return;
      svg.current?.setPointerCapture(event.pointerId);
      setHeld({ node, at: placeOf(event), isMoved: false });
    },
    onMove(event: PointerEvent) {
      if (held === undefined) return;
      const at = placeOf(event);
      const isMoved = held.isMoved || Math.hypot(at.x - held.at.x, at.y - held.at.y) > SLIP;
      setHeld({ ...held, at: isMoved ? at : held.at, isMoved });
    },
    onEnd() {
      if (held === undefined) return;
      if (!held.isMoved) onChoose(held.node.key);
      else if (over !== undefined) onConnect(held.node.key, over);
      setHeld(undefined);
    },
    onStop: () => setHeld(undefined),
  };
}
