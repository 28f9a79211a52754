/** Makes the browser save the content of a URL: it streams to disk without leaving the page. */
export function saveUrl(url: string): void {
  const link = document.createElement('a')
  link.href = url
  // the server sets the file name; this only prevents navigation
  link.download = ''
  link.hidden = true
  document.body.append(link)
  link.click()
  link.remove()
}
