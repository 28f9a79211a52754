/** Has the browser save what is at an address; it streams to the disk, and the page stays. */
export function saveUrl(url: string): void {
  const link = document.createElement('a')
  link.href = url
  // the server names the file; this only says that the page is not to be left
  link.download = ''
  link.hidden = true
  document.body.append(link)
  link.click()
  link.remove()
}
