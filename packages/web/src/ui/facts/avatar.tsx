import './avatar.css'

/** Initials of a person, as decoration beside the name. */
export function Avatar({ name, email }: { name: string; email: string }) {
  return (
    <span className="avatar" aria-hidden="true">
      {initials(name, email)}
    </span>
  )
}

/** Returns two initials: of first and last name, otherwise of the address. */
export function initials(name: string, email: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const source = words.length > 0 ? words : (email.split('@')[0] ?? '').split(/[._-]+/).filter(Boolean)
  const first = Array.from(source[0] ?? '')[0] ?? ''
  const last = source.length > 1 ? (Array.from(source.at(-1) ?? '')[0] ?? '') : ''
  return (first + last).toUpperCase()
}
