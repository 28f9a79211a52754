import { displayAddress } from '@gatehouse/contract/canonical-address'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import type { CSSProperties, ReactNode } from 'react'
import { price } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { variant } from '../../platform/config.ts'
import { shownWallets, type UserInfo } from '../../platform/session/auth.ts'
import { Link } from '../../router/link.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Tag } from '../../ui/page/panel.tsx'
import { ApprovalsFact } from './approvals-fact.tsx'
import { balances } from './balances.ts'
import { fullName } from './greeting.ts'
import { HealthFact } from './health-fact.tsx'
import { spans, type TileEntry, tilesFor } from './tiles.ts'
import { useLiveBalance } from './use-live-balance.ts'
import './board.css'

/** Everything that somebody may open: one sheet, divided by hairlines. */
export function Board({ user }: { user: UserInfo }) {
  const t = useT()
  const tiles = tilesFor(variant(), user)
  const widths = tiles.map(({ width = 1 }) => width)
  const [wide, middle, narrow] = [4, 3, 2].map((columns) => spans(widths, columns))
  return (
    <ul className="board" aria-label={t('dashboard.board')}>
      {tiles.map((tile, index) => (
        <Tile
          key={tile.name}
          tile={tile}
          user={user}
          columns={[wide?.[index] ?? 1, middle?.[index] ?? 1, narrow?.[index] ?? 1]}
        />
      ))}
    </ul>
  )
}

interface TileProps {
  tile: TileEntry
  user: UserInfo
  /** On a wide, a middle and a narrow screen. */
  columns: readonly [number, number, number]
}

function Tile({ tile: { name, to, title, text, icon, beta, external }, user, columns }: TileProps) {
  const t = useT()
  const textId = `tile-${name}`
  const [wide, middle, narrow] = columns
  // custom properties are missing in the type
  const style = { '--wide': wide, '--middle': middle, '--narrow': narrow } as CSSProperties
  return (
    <li className="tile" style={style}>
      <h2>
        <Icon of={icon} />
        {external ? (
          <a href={to} aria-describedby={textId}>
            {t(title)}
          </a>
        ) : (
          <Link to={to} aria-describedby={textId}>
            {t(title)}
          </Link>
        )}
        {beta && <Tag>{t('dashboard.beta')}</Tag>}
      </h2>
      <div id={textId} className="tile-text">
        {factOf(name, user) ?? (
          <p>
            {t(text)}
            {external && <Icon of={IconExternalLink} size="small" />}
          </p>
        )}
      </div>
    </li>
  )
}

/** What there is to say about an area right now. */
function factOf(name: string, user: UserInfo): ReactNode {
  if (name === 'account') return fullName(user) ? <AccountFact user={user} /> : undefined
  if (name === 'operations') return <HealthFact />
  if (name === 'approvals') return <ApprovalsFact />
  return name === 'wallet' ? <WalletFact user={user} /> : undefined
}

function AccountFact({ user }: { user: UserInfo }) {
  return (
    <>
      <p className="tile-figure">{fullName(user)}</p>
      <p>{displayAddress(user.email)}</p>
    </>
  )
}

function WalletFact({ user }: { user: UserInfo }) {
  const t = useT()
  useLiveBalance()
  const wallets = shownWallets(user)
  const sums = balances(wallets)
  const discount = wallets.find((wallet) => wallet.discount)
  return (
    <>
      <p className="tile-figure">
        {sums.map(({ currency, amount }) => (
          <span key={currency} className={amount < 0 ? 'nowrap negative' : 'nowrap'}>
            {price(amount, currency)}
          </span>
        ))}
      </p>
      {sums.some(({ amount }) => amount < 0) ? (
        <p className="tile-alarm">
          <Icon of={IconAlertTriangle} size="small" />
          {t('dashboard.topUp')}
        </p>
      ) : (
        <p>
          {discount
            ? t('dashboard.discount', {
                percent: discount.discount ?? 0,
                name: discount.discount_description ?? '',
                named: discount.discount_description ? 'yes' : 'no',
              })
            : t('dashboard.walletText')}
        </p>
      )}
    </>
  )
}
