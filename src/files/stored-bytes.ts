// The bytes of files on records, behind one interface. Where a file is depends on ids alone; names and rights are unknown
// here.

/** A file of a workspace. */
export interface StoredAt {
  readonly workspace: number;
  readonly id: string;
}

/** The size and the hash of the stored bytes. */
export interface Digested {
  readonly size: number;
  readonly sha256: Buffer;
}

/** The first and the last byte. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Bytes that are there. One of the two functions is called, once. */
export interface OpenBytes {
  pieces(): AsyncIterable<Buffer>;
  discard(): void;
}

/** The headers by which a client saves bytes that it fetches by itself. */
export interface DownloadHeaders {
  readonly type: string;
  readonly disposition: string;
}

export interface FileStore {
  /** Store the bytes; the file is there when all of them are on the disk. Errors: those of `pieces` and of the store. */
  put(at: StoredAt, pieces: AsyncIterable<Buffer>): Promise<Digested>;
  /** Undefined when there is no such file. */
  open(at: StoredAt, range: ByteRange): Promise<OpenBytes | undefined>;
  /** Removes a file, and the rest of a file that never arrived; no error when there is none. */
  remove(at: StoredAt): Promise<void>;
  /** All files of a workspace. */
  removeAll(workspace: number): Promise<void>;
  /** An address for a client to fetch the file from, for a minute; undefined: only through the service. */
  addressOf(at: StoredAt, headers: DownloadHeaders): Promise<string | undefined>;
}
