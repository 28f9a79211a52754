import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { config, variant } from '../../platform/config.ts'
import { Link } from '../../router/link.tsx'

const staffNames = { admin: 'shell.admin', reseller: 'shell.reseller' } as const

/** Logo and name, linked to the home page. Shows staff which front end they are using. */
export function Brand() {
  const t = useT()
  const kind = variant()
  return (
    <Link to="/" className="brand">
      <Mark />
      <span className="truncate">{config['app.name']}</span>
      {kind !== 'user' && <small>{t(staffNames[kind])}</small>}
    </Link>
  )
}

/** The theme's logo; defaults to a gate under its lintel. */
function Mark() {
  const theme = config['app.theme']
  const [missing, setMissing] = useState(theme === 'default')
  if (!missing) {
    return <img src={config['app.logo']} alt="" height="24" onError={() => setMissing(true)} />
  }
  return (
    <svg
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      strokeWidth="2"
      strokeLinecap="square"
      aria-hidden="true"
    >
      <path d="M3 21V3h18v18" stroke="currentColor" />
      <path className="brand-gate" d="M8 21v-7.5a4 4 0 0 1 8 0V21" />
    </svg>
  )
}
