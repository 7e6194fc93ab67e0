// Answers that their clients have not read yet: limits how much of them may wait in memory, for one client and for
// all, and how long an answer may make no progress. Bytes in the buffers of the system do not count.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LIMITS } from '../../limits.ts';
import { type KernelQueues, loadKernelQueues } from './kernel-queues.ts';
import { openShares, type ShareLimits } from './shares.ts';

export interface UnreadLimits extends ShareLimits {
  /** Milliseconds within which a client has to read a part of its answer. */
  readonly moveWithin: number;
  /** Milliseconds without movement after which it may be cut off to make room for others. */
  readonly spareFor: number;
  /** The clock of both, in milliseconds. */
  readonly now: () => number;
}

export interface Unread {
  /** Whether so many bytes may wait for this owner now. */
  admits(owner: string, bytes: number): boolean;
  /** Count an answer that is not sent yet; the returned function ends that. */
  hold(owner: string, bytes: number): () => void;
  /** True while this owner has its share unread. */
  isFull(owner: string): boolean;
  /** Track an answer of so many bytes until it is sent; the connection is reset when it makes no progress. */
  watch(response: ServerResponse, owner: string, bytes: number): void;
  /** The number of waiting bytes. */
  bytes(): number;
  /** The number of waiting answers. */
  count(): number;
}

interface Answer {
  readonly socket: Socket;
  readonly owner: string;
  readonly bytes: number;
  /** Bytes between the process and the client, when it was looked at last. */
  between: number | undefined;
  movedAt: number;
}

const UNREAD_LIMITS: UnreadLimits = Object.freeze({
  most: LIMITS.unreadBytes,
  each: LIMITS.unreadBytesOfOne,
  moveWithin: 10_000,
  spareFor: 3000,
  now: () => performance.now(),
});
/** Checks within the time in which something has to move. */
const LOOKS = 4;
/** Where the system does not report its buffers, a slow client seems to read nothing for longer. */
const TIMEOUT_FACTOR_UNTOLD = 6;

export function openUnread(options: Partial<UnreadLimits> = {}): Unread {
  const limits = { ...UNREAD_LIMITS, ...options };
  const shares = openShares(limits);
  const answers = new Set<Answer>();
  let isLooking = false;

  async function look(): Promise<void> {
    const queues = await loadKernelQueues([...answers].map(({ socket }) => socket));
    const now = limits.now();
    for (const answer of answers) note(answer, queues, now);
    const timeoutMs = limits.moveWithin * (queues === undefined ? TIMEOUT_FACTOR_UNTOLD : 1);
    for (const answer of answers) if (now - answer.movedAt >= timeoutMs) cut(answer);
    isLooking = false;
    lookLater();
  }

  function lookLater(): void {
    if (isLooking || answers.size === 0) return;
    isLooking = true;
    setTimeout(look, limits.moveWithin / LOOKS).unref();
  }

  /** Make room by resetting stalled answers, the longest stalled first. */
  function makeRoom(owner: string, bytes: number): boolean {
    const still = limits.now() - limits.spareFor;
    const oldest = [...answers].sort((one, other) => one.movedAt - other.movedAt);
    for (const answer of oldest) {
      if (shares.admits(owner, bytes) || answer.movedAt > still) break;
      cut(answer);
      drop(answer);
    }
    return shares.admits(owner, bytes);
  }

  function drop(answer: Answer): void {
    if (answers.delete(answer)) shares.give(answer.owner, answer.bytes);
  }

  return {
    admits(owner, bytes) {
      if (shares.admits(owner, bytes)) return true;
      return shares.total() + bytes > limits.most && makeRoom(owner, bytes);
    },
    hold: shares.hold,
    isFull: shares.isFull,
    watch(response, owner, bytes) {
      const { socket } = response;
      if (socket === null) return;
      const movedAt = limits.now();
      const answer: Answer = { socket, owner, bytes, between: undefined, movedAt };
      answers.add(answer);
      shares.take(owner, bytes);
      response.once('close', () => drop(answer));
      lookLater();
    },
    bytes: shares.total,
    count: () => answers.size,
  };
}

function note(answer: Answer, queues: KernelQueues | undefined, now: number): void {
  const { socket } = answer;
  const own = (socket as Handled)._handle?.writeQueueSize ?? socket.writableLength;
  const between = own + (queues?.get(socket) ?? 0);
  if (between < (answer.between ?? 0)) answer.movedAt = now;
  answer.between = between;
}

/** Bytes that the system has not taken yet; for a single write Node reports only all or none. */
interface Handled {
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

/** Reset the connection, so that the client notices that its answer is incomplete. */
function cut({ socket }: Answer): void {
  socket.resetAndDestroy();
}
