// The texts that cells of a workbook share, as bytes and their places: as strings 600,000 of them take 100 MB more.

import { tableFault } from '../table-fault.ts';

export interface SharedTexts {
  /** Errors: a fault. */
  add(text: string): void;
  /** '' where there is none. */
  at(index: number): string;
}

/** `bytes`: at least as many as all texts have in UTF-8; pages that are not written need no memory. */
export function openSharedTexts(bytes: number): SharedTexts {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const content = new Uint8Array(bytes);
  let ends = new Uint32Array(1024);
  let count = 0;
  return {
    add(text) {
      if (count === ends.length) {
        const longer = new Uint32Array(2 * count);
        longer.set(ends);
        ends = longer;
      }
      const start = count === 0 ? 0 : (ends[count - 1] as number);
      const { read, written } = encoder.encodeInto(text, content.subarray(start));
      // Bytes that are not UTF-8 become longer.
      if (read < text.length) throw tableFault('workbook');
      ends[count] = start + written;
      count += 1;
    },
    at(index) {
      if (!(index >= 0 && index < count)) return '';
      return decoder.decode(content.subarray(index === 0 ? 0 : ends[index - 1], ends[index]));
    },
  };
}
