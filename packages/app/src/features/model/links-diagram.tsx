// An object with its neighbours: those that refer to it at its left, those that it refers to at its right, and the
// relationships on either side. The list below it says the same.

import { Link } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import type { DefinitionDocument } from '../../lib/definition/document.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { type DiagramBox, layOut } from './diagram-layout.ts';
import classes from './links-diagram.module.css';
import type { ObjectLink } from './object-links.ts';

interface LinksDiagramProps {
  readonly document: DefinitionDocument;
  readonly type: string;
  readonly links: readonly ObjectLink[];
}

export function LinksDiagram({ document, type, links }: LinksDiagramProps) {
  const t = useT();
  const nameOf = (key: string) => document.objects[key]?.name ?? key;
  const { center, boxes, height, x, width, share } = layOut(type, links);
  return (
    <section className={classes.place} aria-label={t('links.diagram', { name: nameOf(type) })}>
      <svg
        className={classes.diagram}
        viewBox={`${x} 0 ${width} ${height}`}
        style={{ '--share': share } as CSSProperties}
      >
        <title>{t('links.diagram', { name: nameOf(type) })}</title>
        {boxes.map((box) => (
          <Wire key={box.id} box={box} center={center} />
        ))}
        <g transform={`translate(${center.x} ${center.y})`}>
          <rect className={classes.center} width={center.width} height={center.height} rx={6} />
          <Name text={nameOf(type)} width={center.width} />
        </g>
        {boxes.map((box) => (
          <Neighbour key={box.id} box={box} name={nameOf(box.other)} />
        ))}
      </svg>
    </section>
  );
}

interface WireProps {
  readonly box: DiagramBox;
  readonly center: Omit<DiagramBox, 'links' | 'id' | 'other' | 'side'>;
}

function Wire({ box, center }: WireProps) {
  const isLeft = box.side === 'left';
  const from = { x: isLeft ? box.x + box.width : box.x, y: box.y + box.height / 2 };
  const to = { x: isLeft ? center.x : center.x + center.width, y: center.y + center.height / 2 };
  const middle = (from.x + to.x) / 2;
  const isArrow = box.links.some(({ kind }) => kind !== 'relationship');
  // Arrows point at the object that is referred to.
  const tip = isLeft ? { ...to, turn: 1 } : { ...from, turn: 1 };
  return (
    <g className={classes.wire} data-kind={isArrow ? 'reference' : 'relationship'}>
      <path d={`M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`} />
      {isArrow && (
        <path d={`M${tip.x - 6} ${tip.y - 4}L${tip.x} ${tip.y}L${tip.x - 6} ${tip.y + 4}`} />
      )}
    </g>
  );
}

interface NeighbourProps {
  readonly box: DiagramBox;
  readonly name: string;
}

function Neighbour({ box: { x, y, width, height, other, links }, name }: NeighbourProps) {
  const { workspace } = useSession();
  const said = links.map((link) => link.name).join(', ');
  return (
    <Link
      to="/$workspace/settings/model/$type"
      params={{ workspace, type: other }}
      className={classes.box}
      aria-label={`${name}: ${said}`}
    >
      <g transform={`translate(${x} ${y})`}>
        <title>{said}</title>
        <rect width={width} height={height} rx={6} />
        <Name text={name} width={width} />
      </g>
    </Link>
  );
}

/** The most characters that fit into a box. */
const CHARACTERS = 22;

function Name({ text, width }: { readonly text: string; readonly width: number }) {
  const shown = text.length > CHARACTERS ? `${text.slice(0, CHARACTERS - 1)}…` : text;
  return (
    <text x={width / 2} y={18} textAnchor="middle">
      {shown}
    </text>
  );
}
