// The name of an object within an English sentence: "Work item" alone, "New work item" after another word. Pure.

/** Names in capitals, or with a capital later on, such as `API key`, `PO` and `McDonald`, stay as they are. */
export function insideSentence(name: string): string {
  const [first = ''] = name.split(/[\s-]/);
  const isPlain = /^\p{Lu}\p{Ll}+$/u.test(first);
  return isPlain ? `${name.charAt(0).toLowerCase()}${name.slice(1)}` : name;
}
