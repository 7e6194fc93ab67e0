// Signals to running work that its result is no longer needed. An `AbortSignal` is one; reads of requests get a
// cheaper one.

export interface CancelSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(event: 'abort', listener: () => void): void;
  removeEventListener(event: 'abort', listener: () => void): void;
}
