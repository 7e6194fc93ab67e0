import type { PeekPanelProps } from '../features/record/peek-host.tsx';
import { PeekPanel } from '../features/record/peek-panel.tsx';
import { MAIN, SIDE } from './record-parts.ts';

const PARTS = { main: MAIN, side: SIDE };

export default function PeekedRecord(props: PeekPanelProps) {
  return <PeekPanel {...props} parts={PARTS} />;
}
