/** The subset of URL used here; browsers and Node.js share it (WHATWG URL). */
declare const URL: new (address: string) => { readonly hostname: string }

/** Returns the canonical form of an address; other text is trimmed and lower-cased. */
export function canonicalAddress(text: string): string {
  const whole = text.trim().normalize('NFC').toLowerCase()
  const at = whole.lastIndexOf('@')
  const domain = at < 0 ? undefined : asciiDomain(whole.slice(at + 1))
  return domain === undefined ? whole : `${whole.slice(0, at)}@${domain}`
}

/** Names that the parser leaves as they are: it's slow, and nearly all names are like this. */
const plainName = /^(?:[a-z0-9-]{1,63}\.)+[a-z]{2,63}$/

/** Returns a domain in lower case and ASCII; undefined if it isn't a valid host name. */
export function asciiDomain(text: string): string | undefined {
  const name = text.trim().toLowerCase()
  if (plainName.test(name) && name.length <= 253 && !name.includes('xn--')) return name
  // the parser would read these as a port, a path or an escape, or drop them
  if (name === '' || /[\s\p{Cc}/\\:@%?#[\]]/u.test(name)) return undefined
  try {
    return new URL(`http://${name}`).hostname
  } catch {
    return undefined
  }
}

/** An address for display, with the domain in its own script. */
export function displayAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at + 1)}${displayDomain(address.slice(at + 1))}`
}

/** A domain in its own script. Labels that aren't valid Punycode are returned unchanged. */
export function displayDomain(name: string): string {
  if (!name.includes('xn--')) return name
  const shown = name.split('.').map(decodeLabel).join('.')
  return asciiDomain(shown) === name ? shown : name
}

const digits = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Punycode (RFC 3492). */
function decodeLabel(label: string): string {
  if (!label.startsWith('xn--')) return label
  const text = label.slice(4)
  const basic = Math.max(text.lastIndexOf('-'), 0)
  const points = Array.from(text.slice(0, basic), (letter) => letter.codePointAt(0) ?? 0)
  let [code, bias, index] = [128, 72, 0]
  for (let at = basic > 0 ? basic + 1 : 0; at < text.length; ) {
    const before = index
    for (let [weight, step] = [1, 36]; ; step += 36) {
      const digit = digits.indexOf(text.charAt(at) || ' ')
      if (digit < 0) return label
      at++
      index += digit * weight
      const threshold = Math.min(Math.max(step - bias, 1), 26)
      if (digit < threshold) break
      weight *= 36 - threshold
    }
    const count = points.length + 1
    bias = adapt(index - before, count, before === 0)
    code += Math.floor(index / count)
    index %= count
    if (code > 0x10ffff) return label
    points.splice(index++, 0, code)
  }
  return String.fromCodePoint(...points)
}

function adapt(difference: number, count: number, isFirst: boolean): number {
  let delta = Math.floor(difference / (isFirst ? 700 : 2))
  delta += Math.floor(delta / count)
  let steps = 0
  for (; delta > 455; steps += 36) delta = Math.floor(delta / 35)
  return steps + Math.floor((36 * delta) / (delta + 38))
}
