/** Whether a host name, as URLs have it, means the own machine, where nobody outside reaches it. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname)
}
