// Gives a file to the person, as the browser does with a download.

/** `text/csv` and the like come with the blob. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
