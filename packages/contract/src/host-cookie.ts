/**
 * Name of a cookie. Over https browsers accept the prefix only from the host itself, with `Secure`, without
 * `Domain` and with `Path=/` (RFC 6265bis), so that sibling hosts can't set it. The language cookie has no
 * prefix.
 */
export function hostCookie(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name
}
