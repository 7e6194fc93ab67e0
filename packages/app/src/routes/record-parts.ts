// The parts of a record, on its page and beside a list.

import { Activity } from '../features/activity/activity.tsx';
import { LinkedRecords } from '../features/linked/linked-records.tsx';
import { WorkTree } from '../features/work-tree/work-tree.tsx';
import { hasHistory } from '../lib/history.ts';
import { later } from '../lib/later.tsx';
import type { RecordPart } from '../lib/record-part.ts';
import { hasTree } from '../lib/work-tree.ts';

const isAlways = () => true;
const History = later(() => import('../features/history/history.tsx'));

export const MAIN: readonly RecordPart[] = [
  { key: 'tree', title: 'tree.title', isOffered: hasTree, Part: WorkTree },
  { key: 'linked', title: 'linked.title', isOffered: isAlways, Part: LinkedRecords },
];

export const SIDE: readonly RecordPart[] = [
  { key: 'activity', title: 'activity.title', isOffered: isAlways, Part: Activity },
  { key: 'history', title: 'history.title', isOffered: hasHistory, Part: History },
];
