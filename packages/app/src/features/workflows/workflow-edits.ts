// A workflow, changed: its moves, approvers, statuses and their order. Pure.

import {
  type Approvers,
  type GateEntry,
  orderedKeys,
  type StatusEntry,
  type TransitionEntry,
  targetOf,
  type WorkflowEntry,
} from '../../lib/definition/document.ts';
import { keyFor } from '../../lib/definition/rename.ts';

export function movesOf(
  { statuses }: Pick<WorkflowEntry, 'statuses'>,
  from: string,
): readonly TransitionEntry[] {
  return statuses[from]?.transitions ?? [];
}

export function hasMove(workflow: WorkflowEntry, from: string, to: string): boolean {
  return movesOf(workflow, from).some((move) => targetOf(move) === to);
}

/** Undefined: nobody has to approve it. */
export function gateOf(workflow: WorkflowEntry, from: string, to: string): GateEntry | undefined {
  const move = movesOf(workflow, from).find((one) => targetOf(one) === to);
  return typeof move === 'object' ? move : undefined;
}

export function withMove(
  workflow: WorkflowEntry,
  from: string,
  to: string,
  isThere = true,
): WorkflowEntry {
  if (from === to || hasMove(workflow, from, to) === isThere) return workflow;
  const others = movesOf(workflow, from).filter((one) => targetOf(one) !== to);
  return withStatus(workflow, from, { transitions: isThere ? [...others, to] : others });
}

/** The workflow with other approvers of a move; without approvers the move needs no approval. */
export function withApprovers(
  workflow: WorkflowEntry,
  from: string,
  to: string,
  { users = [], teams = [] }: Approvers,
): WorkflowEntry {
  const approvers = {
    ...(users.length > 0 ? { users } : {}),
    ...(teams.length > 0 ? { teams } : {}),
  };
  const isGated = users.length + teams.length > 0;
  const transitions = movesOf(workflow, from).map((one) => {
    if (targetOf(one) !== to) return one;
    return isGated ? { ...(typeof one === 'object' ? one : {}), to, approvers } : to;
  });
  return withStatus(workflow, from, { transitions });
}

export type GateWords = {
  readonly [Word in keyof Omit<GateEntry, 'to' | 'approvers'>]: GateEntry[Word] | undefined;
};

/** Words that are undefined are removed. */
export function withGateWords(
  workflow: WorkflowEntry,
  from: string,
  to: string,
  words: GateWords,
): WorkflowEntry {
  const transitions = movesOf(workflow, from).map((one) =>
    typeof one === 'object' && one.to === to
      ? withoutMissing<GateEntry>({ ...one, ...words })
      : one,
  );
  return withStatus(workflow, from, { transitions });
}

function withoutMissing<Entry>(words: object): Entry {
  const kept = Object.entries(words).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as Entry;
}

/** Words that are undefined are removed. */
export function withStatus(
  workflow: WorkflowEntry,
  key: string,
  words: { readonly [Word in keyof StatusEntry]?: StatusEntry[Word] | undefined },
): WorkflowEntry {
  const status = withoutMissing<StatusEntry>({ ...workflow.statuses[key], ...words });
  return { ...workflow, statuses: { ...workflow.statuses, [key]: status } };
}

export function statusesOf({ statuses, status_order }: WorkflowEntry): readonly string[] {
  return orderedKeys(statuses, status_order);
}

export interface NewStatus {
  readonly key: string;
  readonly workflow: WorkflowEntry;
}

export function withNewStatus(workflow: WorkflowEntry, name: string): NewStatus {
  const { statuses, status_order } = workflow;
  const key = keyFor(name, statuses, true);
  const order = status_order && { status_order: [...statusesOf(workflow), key] };
  const status = { name, category: 'active' };
  return { key, workflow: { ...workflow, ...order, statuses: { ...statuses, [key]: status } } };
}

export function withStatusMoved(workflow: WorkflowEntry, key: string, by: -1 | 1): WorkflowEntry {
  const order = [...statusesOf(workflow)];
  const at = order.indexOf(key);
  const other = order[at + by];
  if (other === undefined) return workflow;
  return { ...workflow, status_order: order.with(at, other).with(at + by, key) };
}
