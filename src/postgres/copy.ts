// COPY over a connection of the pool: rows as PostgreSQL prints and reads them, in pieces, and never more of them in
// memory than the other side has requested. The driver parses the messages of COPY and leaves them to its queries.

import { once } from 'node:events';
import { type Duplex, Readable } from 'node:stream';
import pg from 'pg';
import { withRefusalCode } from './constraint-name.ts';

/** Bytes that are handed on at once: PostgreSQL sends each row by itself. */
const PIECE_BYTES = 65_536;

/** The messages that the driver lets a query send on its connection. */
interface Wire {
  readonly stream: Duplex;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** Streams of whole tables, on the connection of a transaction. */
export interface Copying {
  /** The output of `copy … to stdout`, to be read to its end. */
  copyOut(text: string): AsyncIterable<Buffer>;
  /** Feed `copy … from stdin`; answers how many rows there were. */
  copyIn(text: string, pieces: AsyncIterable<Buffer>): Promise<number>;
}

export function copyingOn(client: pg.PoolClient): Copying {
  return {
    copyOut: (text) => copyOut(client, text),
    copyIn: (text, pieces) => copyIn(client, text, pieces),
  };
}

/**
 * The output of `copy … to stdout`. A reader that does not read it to its end loses the connection: there is no other
 * way to stop the server.
 *
 * The connection is paused only while rows arrive without a pending read. The end of the statement, for any reason,
 * resumes it, because the reader no longer reads and the next messages need answers.
 */
function copyOut(client: pg.PoolClient, text: string): Readable {
  const { stream } = wireOf(client);
  let isOver = false;
  const output = new Readable({
    read: () => void stream.resume(),
    destroy(error, done) {
      if (!isOver) stream.destroy();
      done(error);
    },
  });
  const pieces = gatherPieces((piece) => {
    if (!output.push(piece)) stream.pause();
  });
  const end = () => {
    isOver = true;
    stream.resume();
  };
  const query = Object.assign(new pg.Query({ text }), {
    handleCopyData: ({ chunk }: { readonly chunk: Buffer }) => pieces.add(chunk),
    handleCommandComplete: () => undefined,
    handleReadyForQuery() {
      pieces.flush();
      output.push(null);
      end();
    },
    handleError(error: Error) {
      end();
      output.destroy(error);
    },
  });
  client.query(query);
  return output;
}

/**
 * Feed `copy … from stdin`; resolves to the number of rows. When the pieces cannot be read, no row is copied and the
 * failure is theirs.
 */
function copyIn(
  client: pg.PoolClient,
  text: string,
  pieces: AsyncIterable<Buffer>,
): Promise<number> {
  const wire = wireOf(client);
  const over = new AbortController();
  const { signal } = over;
  let failure: unknown;
  let rows = 0;

  async function feed(): Promise<void> {
    try {
      for await (const piece of pieces) {
        if (signal.aborted) return;
        wire.sendCopyFromChunk(piece);
        if (wire.stream.writableNeedDrain) await once(wire.stream, 'drain', { signal });
      }
      if (!signal.aborted) wire.endCopyFrom();
    } catch (error) {
      if (signal.aborted) return;
      failure = error;
      wire.sendCopyFail('the rest is missing');
    }
  }

  return new Promise((resolve, reject) => {
    const query = Object.assign(new pg.Query({ text }), {
      handleCopyInResponse: () => void feed(),
      handleCommandComplete({ text: tag }: { readonly text: string }) {
        rows = Number(tag.slice('COPY '.length));
      },
      handleReadyForQuery() {
        over.abort();
        resolve(rows);
      },
      handleError(error: Error) {
        over.abort();
        reject(failure ?? withRefusalCode(error));
      },
    });
    client.query(query);
  });
}

function wireOf(client: pg.PoolClient): Wire {
  return (client as unknown as { readonly connection: Wire }).connection;
}

/** The driver uses the memory of a message again, so each is copied. */
function gatherPieces(push: (piece: Buffer) => void) {
  let gathered = Buffer.allocUnsafe(PIECE_BYTES);
  let used = 0;
  function flush(): void {
    if (used === 0) return;
    push(gathered.subarray(0, used));
    gathered = Buffer.allocUnsafe(PIECE_BYTES);
    used = 0;
  }
  return {
    flush,
    add(chunk: Buffer): void {
      if (used + chunk.length > PIECE_BYTES) flush();
      if (chunk.length > PIECE_BYTES) push(Buffer.from(chunk));
      else used += chunk.copy(gathered, used);
    },
  };
}
