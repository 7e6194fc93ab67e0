// Tells work that nobody waits for its result. An `AbortSignal` is one; reads of requests are given
// one that costs less to make.

export interface CancelSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(event: 'abort', listener: () => void): void;
  removeEventListener(event: 'abort', listener: () => void): void;
}
