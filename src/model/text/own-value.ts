// Looks names up in the records of a definition document. Names are free text there: without this,
// a team called toString would be found in every document. Pure.

/** The entry of this name, never one that all objects inherit. */
export function ownValue<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
