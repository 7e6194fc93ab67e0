import type { PeekPanelProps } from '../features/record/peek-host.tsx';
import { PeekPanel } from '../features/record/peek-panel.tsx';
import { MAIN, SIDE } from './record-parts.ts';

export default function PeekedRecord(props: PeekPanelProps) {
  return <PeekPanel {...props} main={MAIN} side={SIDE} />;
}
