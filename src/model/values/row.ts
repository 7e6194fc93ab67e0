// The form of a row of the database, as all layers pass it on.

/** A row by the names of its columns, as the driver reads it. */
export type Row = Readonly<Record<string, unknown>>;
