import type { Field } from '@workspace-records/client';

/** A file as a record has it; one of the history is its name only. */
export interface FileValue {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

export function filesIn(value: unknown): readonly FileValue[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.map((item) =>
    typeof item === 'string' ? { id: item, name: item, type: '', size: -1 } : (item as FileValue),
  );
}

export function mostFiles({ constraints }: Pick<Field, 'constraints'>): number {
  return constraints?.multiple === true ? 20 : 1;
}

/** The accepted files for the dialog of the browser: `application/pdf,image/*`. */
export function acceptOf({ constraints }: Pick<Field, 'constraints'>): string | undefined {
  const types = constraints?.types;
  return Array.isArray(types) ? types.join(',') : undefined;
}

/** Larger pictures would take long to be shown small. */
const MOST_SHOWN = 10_000_000;
const PICTURES: ReadonlySet<string> = new Set([
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp'],
]);

/** A picture that every browser shows and that runs nothing. */
export function isPicture({ type, size }: FileValue): boolean {
  return PICTURES.has(type) && size <= MOST_SHOWN;
}
