import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { useT } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'

/** Data the application receives, one line each. */
export function ClaimList({ claims }: { claims: Readonly<Record<string, string>> }) {
  const t = useT()
  const entries = Object.entries(claims)
  return (
    <ul className="oauth-claims">
      {entries.length === 0 && <Claim text={t('oauth.onlyNumber')} />}
      {entries.map(([scope, text]) => (
        <Claim key={scope} text={text} />
      ))}
    </ul>
  )
}

function Claim({ text }: { text: string }) {
  return (
    <li>
      <Icon of={IconCheck} size="small" />
      <span>{text}</span>
    </li>
  )
}
