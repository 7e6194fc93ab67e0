// The part of papaparse that the application uses: the parser of a text, which says where the last whole row ends.

declare module 'papaparse' {
  interface ParsedRows {
    readonly data: readonly (readonly string[])[];
    readonly errors: readonly { readonly code: string }[];
    readonly meta: { readonly cursor: number };
  }
  interface ParserConfig {
    readonly delimiter: string;
    readonly newline?: '\n';
    /** Rows at most. */
    readonly preview?: number;
  }
  export class Parser {
    constructor(config: ParserConfig);
    parse(text: string, baseIndex: number, ignoreLastRow: boolean): ParsedRows;
  }
}
