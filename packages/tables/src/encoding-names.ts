// The encodings of files: those that `TextDecoder` has in every release, and UTF-32.

/** The choices, in the order in which they are preferred. */
export const ENCODINGS = [
  ...['utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'],
  ...['windows-1252', 'macintosh', 'iso-8859-15', 'windows-1250', 'iso-8859-2', 'windows-1254'],
  ...['windows-1257', 'windows-1253', 'iso-8859-7', 'windows-1251', 'koi8-r', 'koi8-u', 'ibm866'],
  ...[
    'x-mac-cyrillic',
    'iso-8859-5',
    'windows-1255',
    'windows-1256',
    'windows-1258',
    'windows-874',
  ],
  ...['shift_jis', 'euc-jp', 'iso-2022-jp', 'gb18030', 'big5', 'euc-kr'],
  ...['iso-8859-3', 'iso-8859-4', 'iso-8859-6', 'iso-8859-8', 'iso-8859-10', 'iso-8859-13'],
  'iso-8859-14',
] as const;
export type Encoding = (typeof ENCODINGS)[number];
