// The text of the key by which texts are equal (D376).

export function nfc(place: string): string {
  return `case when octet_length(${place}) = length(${place}) then ${place} else normalize(${place}, nfc) end`;
}
