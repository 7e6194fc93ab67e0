/** Write the site of the repository `root` to `out`; answers the files with text. */
export function buildDocs(root: string, out: string): readonly string[];
