export function completionFor(_shell: string | undefined): string {
  return ''
}
