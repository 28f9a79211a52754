import { locales } from '@gatehouse/contract/language'
import { useLanguage } from '../../i18n/i18n.ts'
import './money.css'

/** An amount as a headline figure: smaller currency, minus sign in front of a debt. */
export function Money({ cents, currency }: { cents: number; currency: string }) {
  const language = useLanguage()
  const format = new Intl.NumberFormat(locales[language], { style: 'currency', currency })
  const parts = format.formatToParts(Math.abs(cents) / 100)
  return (
    <span className={cents < 0 ? 'money negative' : 'money positive'}>
      {cents < 0 && '−\u00a0'}
      {parts.map(({ type, value }, index) =>
        type === 'currency' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one number never move
          <small key={index}>{value}</small>
        ) : (
          value
        ),
      )}
    </span>
  )
}
