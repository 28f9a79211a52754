/** Meaning of the path below `/signup`. */
export type SignupEntry =
  | { kind: 'plans' }
  | { kind: 'voucher'; voucher: string }
  | { kind: 'referral'; referral: string }
  | { kind: 'invitation'; id: string }
  | { kind: 'link'; shortCode: string; code: string }
  | { kind: 'plan'; title: string }
  | { kind: 'unknown' }

/** Parses the path below `/signup`; specification §2, Signup. */
export function readEntry(rest: string): SignupEntry {
  if (rest === '') return { kind: 'plans' }
  const [first = '', second, ...more] = rest.split('/')
  if (more.length > 0) return { kind: 'unknown' }
  if (second !== undefined) return readPair(first, second)
  const [, shortCode, code] = /^([A-Z0-9]+)-([A-Za-z0-9]+)$/.exec(first) ?? []
  if (shortCode && code) return { kind: 'link', shortCode, code }
  return isPlanPath(first) ? { kind: 'plan', title: first } : { kind: 'unknown' }
}

/** Path of a plan's forms. Titles that can't be part of a path lead to the start page. */
export function planPath(title: string): string {
  return isPlanPath(title) ? `/signup/${title}` : '/signup'
}

function readPair(name: string, value: string): SignupEntry {
  if (value === '') return { kind: 'unknown' }
  if (name === 'invite') return { kind: 'invitation', id: value }
  if (name === 'voucher') return { kind: 'voucher', voucher: value }
  return name === 'referral' ? { kind: 'referral', referral: value } : { kind: 'unknown' }
}

function isPlanPath(text: string): boolean {
  return /^[A-Za-z_]+$/.test(text)
}
