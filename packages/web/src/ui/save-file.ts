/** Makes the browser save a file under a name, like following a download link. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // the browser holds the content once the click was handled
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
