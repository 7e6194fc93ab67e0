import { RecordPage } from '../features/record/record-page.tsx';
import { MAIN, SIDE } from './record-parts.ts';

export default function RecordRoute() {
  return <RecordPage main={MAIN} side={SIDE} />;
}
