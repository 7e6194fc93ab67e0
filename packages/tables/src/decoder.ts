// Bytes to text, piece by piece, in every encoding that files of tables have. Bytes that the encoding does not have are a
// fault of their line.

import type { Encoding } from './encoding-names.ts';
import { tableFault } from './table-fault.ts';

export interface Decoder {
  /** Without a byte-order mark. Errors: a fault. */
  push(bytes: Uint8Array): string;
  end(): string;
}

/** 0x80 to 0x9F of Windows-1252; some releases of Node.js read them as ISO 8859-1. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

export function openDecoder(encoding: Encoding): Decoder {
  if (encoding === 'utf-32le' || encoding === 'utf-32be') return openUtf32(encoding === 'utf-32le');
  const decoder = new TextDecoder(encoding, { fatal: true });
  let line = 1;
  const decoded = (bytes?: Uint8Array): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw tableFault('encoding', line + validLines(bytes, encoding));
    }
  };
  const decode = (bytes?: Uint8Array): string => {
    const text = decoded(bytes);
    line += lineBreaks(text);
    if (encoding !== 'windows-1252') return text;
    return text.replaceAll(/[\x80-\x9f]/g, (one) => WINDOWS_1252[one.charCodeAt(0) - 128] ?? one);
  };
  return { push: decode, end: () => decode() };
}

/** Line breaks before the first byte that the encoding does not have, where they are known. */
function validLines(bytes: Uint8Array = new Uint8Array(), encoding: Encoding): number {
  if (encoding !== 'utf-8') return 0;
  const text = new TextDecoder('utf-8').decode(bytes);
  const end = text.indexOf('\uFFFD');
  return lineBreaks(text.slice(0, end === -1 ? undefined : end));
}

function lineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function openUtf32(isLittle: boolean): Decoder {
  let rest = new Uint8Array();
  let isFirst = true;
  let line = 1;
  return {
    push(bytes) {
      const all = new Uint8Array(rest.length + bytes.length);
      all.set(rest);
      all.set(bytes, rest.length);
      const whole = all.length - (all.length % 4);
      rest = all.slice(whole);
      const view = new DataView(all.buffer);
      let text = '';
      for (let at = 0; at < whole; at += 4) {
        const code = view.getUint32(at, isLittle);
        const isCharacter = code < 0xd800 || (code >= 0xe000 && code <= 0x10ffff);
        if (!isCharacter) throw tableFault('encoding', line + lineBreaks(text));
        text += String.fromCodePoint(code);
      }
      const isMarked = isFirst && text.startsWith('\uFEFF');
      if (text !== '') isFirst = false;
      line += lineBreaks(text);
      return isMarked ? text.slice(1) : text;
    },
    end() {
      if (rest.length > 0) throw tableFault('encoding', line);
      return '';
    },
  };
}
