// Results of attempts, for tests of what comes next.

import type { SendResult } from '../../src/webhooks/send.ts';
import type { FailureReason } from '../../src/webhooks/send-failure.ts';

export function answered(status: number, retry_after_ms?: number): SendResult {
  return { kind: 'answered', status, answer: '', request_id: null, retry_after_ms, duration_ms: 1 };
}

export function failed(reason: FailureReason): SendResult {
  return { kind: 'failed', reason, message: '', duration_ms: 1 };
}
