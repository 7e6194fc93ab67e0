// The form in which texts are compared with what a person types.

/** The text without regard to case and form of letters; lower case has two small sigmas, which are equal here. */
export function folded(text: string): string {
  return text.normalize('NFKC').trim().toLocaleLowerCase().normalize('NFKC').replaceAll('ς', 'σ');
}
