// Sockets whose request may take longer than the time limit of requests: a large file takes as long as its client needs to
// send it. A file that makes no progress is given up elsewhere (arriving-body.ts).

import type { Duplex } from 'node:stream';

const patient = new WeakSet<Duplex>();

/** The time limit does not apply until the returned function is called. */
export function bePatient(socket: Duplex): () => void {
  patient.add(socket);
  return () => patient.delete(socket);
}

export function isPatient(socket: Duplex): boolean {
  return patient.has(socket);
}
