// The text of the key by which texts are equal (D376).

export function nfc(place: string): string {
  return `case when octet_length(${place}) = length(${place}) or ${place} is nfc normalized then ${place} else normalize(${place}, nfc) end`;
}

/** A text in the order of its language (D377). */
export function sorted(place: string): string {
  return `${place} collate "workspace_records"."und-u-kn-true"`;
}
