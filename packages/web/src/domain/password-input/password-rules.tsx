import type { PasswordRule } from '@gatehouse/contract/sessions/passwords'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconPoint from '@tabler/icons-react/dist/esm/icons/IconPoint.mjs'
import { useEffect, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'

/** Debounce before the summary is announced, in milliseconds. */
const restBeforeSummary = 900

/** Number of rules in the last policy; reserves space until the next response. */
let expectedRules = 3

export interface PasswordRulesProps {
  rules: readonly PasswordRule[] | undefined
  /** Nothing is announced until something has been typed. */
  typed: boolean
}

/** The rules of a password policy, with a check mark at those that are met. */
export function PasswordRules({ rules: all, typed }: PasswordRulesProps) {
  const t = useT()
  const rules = all?.filter((rule) => isWorthReading(rule, typed))
  const count = rules?.length
  useEffect(() => {
    if (count !== undefined) expectedRules = count
  }, [count])

  if (!rules) {
    return (
      <ul className="password-rules" aria-hidden="true">
        {Array.from({ length: expectedRules }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows without content have no other key
          <li key={row}>&nbsp;</li>
        ))}
      </ul>
    )
  }
  return (
    <>
      <ul className="password-rules" aria-label={t('password.rules')}>
        {rules.map(({ label, name, status }) => (
          <li key={label} data-met={status || undefined}>
            <Icon of={status ? IconCheck : IconPoint} size="small" />
            <span>
              {name}
              <span className="visually-hidden">, {t(status ? 'password.met' : 'password.notMet')}</span>
            </span>
          </li>
        ))}
      </ul>
      <Summary rules={rules} typed={typed} />
    </>
  )
}

/**
 * The maximum length is hidden until it is exceeded, which rarely happens by accident. The server answers for an empty
 * password that no rule is met.
 */
function isWorthReading({ label, status }: PasswordRule, typed: boolean): boolean {
  return label !== 'max' || (typed && !status)
}

function Summary({ rules, typed }: { rules: readonly PasswordRule[]; typed: boolean }) {
  const t = useT()
  const [text, setText] = useState('')
  const met = rules.filter(({ status }) => status).length
  const now = typed ? t('password.summary', { met, count: rules.length }) : ''

  useEffect(() => {
    const timer = setTimeout(() => setText(now), restBeforeSummary)
    return () => clearTimeout(timer)
  }, [now])

  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
  )
}
