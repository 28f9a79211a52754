import { useRef, useState } from 'react'
import { type Answer, call } from '../../../platform/api/api.ts'

type Link = Answer<'POST /api/v4/password-reset/code'>

export type PasswordMode = 'enter' | 'link'

export interface PasswordModeOptions {
  /** `<short>-<code>` of the link in the form; empty for none. */
  code: string
  onCode: (code: string) => void
}

/**
 * Whether a password is typed or chosen by link. A link is created on first use; one removed from the form
 * is offered again. When saving has cleared the link, typing is the default again.
 */
export function usePasswordMode({ code, onCode }: PasswordModeOptions) {
  const [making, setMaking] = useState<'no' | 'running' | 'failed'>('no')
  const [latest, setLatest] = useState<Link>()
  const [kept, setKept] = useState('')
  const wanted = useRef<PasswordMode>('enter')

  const make = async () => {
    setMaking('running')
    try {
      const link = await call('POST /api/v4/password-reset/code', { ignoreErrors: true })
      setLatest(link)
      if (wanted.current === 'link') onCode(codeOf(link))
      else setKept(codeOf(link))
      setMaking('no')
    } catch {
      setMaking(wanted.current === 'link' ? 'failed' : 'no')
    }
  }

  const mode: PasswordMode = code !== '' || making !== 'no' ? 'link' : 'enter'
  return {
    mode,
    failed: making === 'failed',
    /** Expiry of the link in the form, if known. */
    expires: latest && codeOf(latest) === code ? latest.expires_at : undefined,
    make,
    choose: (next: PasswordMode) => {
      if (next === mode) return
      wanted.current = next
      setKept(next === 'enter' ? code : '')
      onCode(next === 'link' ? kept : '')
      if (next === 'enter') setMaking('no')
      else if (kept === '') void make()
    },
  }
}

function codeOf({ short_code, code }: Link): string {
  return `${short_code}-${code}`
}
