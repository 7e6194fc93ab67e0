// The form in which texts are compared with what a person types.

/** Without regard to case and form of letters; lower case has two small sigmas, and both are one here. */
export function folded(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().normalize('NFKC').replaceAll('ς', 'σ');
}
