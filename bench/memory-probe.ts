// Loaded into a process that is measured: reports on request its memory after a garbage collection, and ends with the
// requesting process. Needs `--expose-gc`.

export interface Memory {
  /** Bytes. */
  readonly resident: number;
  readonly heap: number;
  /** Of buffers, outside the heap. */
  readonly external: number;
}

process.on('message', () => {
  const { gc } = globalThis as { readonly gc?: () => void };
  gc?.();
  gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ resident: rss, heap: heapUsed, external } satisfies Memory);
});
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
