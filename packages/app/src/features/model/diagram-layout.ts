// Where the boxes of a small diagram are: an object in the middle, its neighbours on both sides. Pure.

import type { ObjectLink } from './object-links.ts';

const WIDTH = 640;
const BOX = { width: 168, height: 28 };
const GAP = 10;

export interface DiagramBox {
  readonly id: string;
  /** The object. */
  readonly other: string;
  readonly side: 'left' | 'right';
  readonly links: readonly ObjectLink[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Diagram {
  readonly center: Pick<DiagramBox, 'x' | 'y' | 'width' | 'height'>;
  readonly boxes: readonly DiagramBox[];
  readonly height: number;
  /** The part with boxes: a side may have none. */
  readonly x: number;
  readonly width: number;
  /** The part of the width of both sides. */
  readonly share: number;
}

/** An object with several links of a side is one box. */
export function layOut(type: string, links: readonly ObjectLink[]): Diagram {
  const sides = { left: new Map<string, ObjectLink[]>(), right: new Map<string, ObjectLink[]>() };
  for (const link of links) {
    const side = sideOf(type, link, sides);
    sides[side].set(link.other, [...(sides[side].get(link.other) ?? []), link]);
  }
  const rows = Math.max(sides.left.size, sides.right.size, 1);
  const height = rows * (BOX.height + GAP) - GAP + 8;
  const column = (side: 'left' | 'right') => {
    const all = [...sides[side]];
    const top = (height - (all.length * (BOX.height + GAP) - GAP)) / 2;
    return all.map(([other, own], at) => ({
      id: `${side} ${other}`,
      ...{ other, side, links: own, ...BOX },
      x: side === 'left' ? 1 : WIDTH - BOX.width - 1,
      y: top + at * (BOX.height + GAP),
    }));
  };
  const center = { ...BOX, x: (WIDTH - BOX.width) / 2, y: (height - BOX.height) / 2 };
  const x = sides.left.size === 0 ? center.x - 1 : 0;
  const width = (sides.right.size === 0 ? center.x + BOX.width + 1 : WIDTH) - x;
  const boxes = [...column('left'), ...column('right')];
  return { center, boxes, height, x, width, share: width / WIDTH };
}

/** Relationships have no direction: they are where the object is already, or there is more room. */
function sideOf(
  type: string,
  { kind, other }: ObjectLink,
  { left, right }: Readonly<Record<'left' | 'right', ReadonlyMap<string, unknown>>>,
): 'left' | 'right' {
  if (kind === 'referred') return 'left';
  if (kind === 'reference' || other === type || right.has(other)) return 'right';
  return left.has(other) || left.size < right.size ? 'left' : 'right';
}
