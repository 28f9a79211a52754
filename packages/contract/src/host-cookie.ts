/**
 * Name under which a cookie is kept. Over https browsers accept the prefix only from the host itself, with `Secure`, without
 * `Domain` and for `Path=/` (RFC 6265bis), so that no neighbouring host can set it. The language cookie keeps its plain name.
 */
export function hostCookie(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name
}
