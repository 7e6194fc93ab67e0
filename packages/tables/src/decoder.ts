// Bytes to text, piece by piece, in every encoding that files of tables have. Bytes that the encoding does not have are a
// fault.

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
  const decode = (bytes?: Uint8Array): string => {
    try {
      const text = bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
      if (encoding !== 'windows-1252') return text;
      return text.replaceAll(/[\x80-\x9f]/g, (one) => WINDOWS_1252[one.charCodeAt(0) - 128] ?? one);
    } catch {
      throw tableFault('encoding');
    }
  };
  return { push: decode, end: () => decode() };
}

function openUtf32(isLittle: boolean): Decoder {
  let rest = new Uint8Array();
  let isFirst = true;
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
        if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) throw tableFault('encoding');
        text += String.fromCodePoint(code);
      }
      const isMarked = isFirst && text.startsWith('\uFEFF');
      if (text !== '') isFirst = false;
      return isMarked ? text.slice(1) : text;
    },
    end() {
      if (rest.length > 0) throw tableFault('encoding');
      return '';
    },
  };
}
