// Templates of the mapping file: text with {column} in it, and parts in […] that are left out when a
// column in them is empty. Pure.

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'column'; readonly column: string }
  | { readonly kind: 'optional'; readonly parts: readonly TemplatePart[] };

/** The parts of a template, or the sentence that describes its problem. */
export function parseTemplate(template: string): readonly TemplatePart[] | string {
  const pieces = template.split(/(\{[^{}]*\}|\[[^[\]]*\])/);
  const parts: TemplatePart[] = [];
  for (const [index, piece] of pieces.entries()) {
    const isMarked = index % 2 === 1;
    if (!isMarked && /[[\]{}]/.test(piece)) {
      return 'has a bracket without its partner, or brackets inside […]';
    }
    if (isMarked && piece.startsWith('[')) {
      const inner = parseTemplate(piece.slice(1, -1));
      if (typeof inner === 'string') return inner;
      parts.push({ kind: 'optional', parts: inner });
    } else if (isMarked) {
      parts.push({ kind: 'column', column: piece.slice(1, -1) });
    } else if (piece !== '') {
      parts.push({ kind: 'text', text: piece });
    }
  }
  return parts;
}

/** Every column a template names. */
export function templateColumns(parts: readonly TemplatePart[]): readonly string[] {
  return parts.flatMap((part) => {
    if (part.kind === 'column') return [part.column];
    return part.kind === 'optional' ? templateColumns(part.parts) : [];
  });
}

/** The texts of a template for one row, to be joined; `textOf` answers '' for an empty cell. */
export function templateTexts(
  parts: readonly TemplatePart[],
  textOf: (column: string) => string,
): readonly string[] {
  return parts.flatMap((part) => {
    if (part.kind === 'text') return part.text;
    if (part.kind === 'column') return textOf(part.column);
    const isEmpty = templateColumns(part.parts).some((column) => textOf(column) === '');
    return isEmpty ? [] : templateTexts(part.parts, textOf);
  });
}
