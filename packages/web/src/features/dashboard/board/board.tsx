import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { Overview, StaffOverview } from '@gatehouse/contract/overview'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import type { CSSProperties, ReactNode } from 'react'
import { price } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { config, variant } from '../../../platform/config.ts'
import { shownWallets, type UserInfo } from '../../../platform/session/auth.ts'
import { Link } from '../../../router/link.tsx'
import { TrendBars } from '../../../ui/chart/trend-bars.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Tag } from '../../../ui/page/panel.tsx'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import { staffFact } from '../cockpit/staff-fact.ts'
import { fullName } from '../greeting.ts'
import { BalanceLine } from './balance-line.tsx'
import { balances } from './balances.ts'
import { type TileAct, tileAct } from './tile-act.ts'
import { securityFact, type TileFact, tileFact, walletFact } from './tile-fact.ts'
import { restOf, spans, type TileEntry, tilesFor } from './tiles.ts'
import { useLiveBalance } from './use-live-balance.ts'
import './board.css'

/** Facts about all areas, as far as loaded. */
export interface Facts {
  /** On the users' host. */
  own?: Overview | undefined
  /** In a cockpit. */
  staff?: StaffOverview | undefined
  /** The facts are loading. */
  isLoading?: boolean
}

interface BoardProps {
  user: UserInfo
  facts?: Facts
  /** Shown in the space left in the last row, or in its own row. */
  children?: ReactNode
}

/** All areas the user may open, with their facts, on one sheet divided by hairlines. */
export function Board({ user, facts = {}, children }: BoardProps) {
  const t = useT()
  const tiles = tilesFor(variant(), user)
  const widths = tiles.map(({ width = 1 }) => width)
  const taken = layouts.map((columns) => spans(widths, columns))
  return (
    <div className="board">
      <ul className="board-tiles" aria-label={t('dashboard.board')} aria-busy={facts.isLoading || undefined}>
        {tiles.map((tile, index) => (
          <Tile
            key={tile.name}
            tile={tile}
            user={user}
            facts={facts}
            style={columnsOf(taken.map((row) => row[index] ?? 1))}
          />
        ))}
      </ul>
      {children && (
        <div
          className="tile-wide"
          style={columnsOf(layouts.map((columns, at) => restOf(taken[at] ?? [], columns)))}
        >
          {children}
        </div>
      )}
    </div>
  )
}

/** Columns of a wide, a medium and a narrow screen. */
const layouts = [4, 3, 2] as const

function columnsOf([wide, middle, narrow]: readonly number[]): CSSProperties {
  // the type lacks custom properties
  return { '--wide': wide, '--middle': middle, '--narrow': narrow } as CSSProperties
}

interface TileProps {
  tile: TileEntry
  user: UserInfo
  facts: Facts
  style: CSSProperties
}

function Tile({ tile: { name, to, title, icon, beta, external }, user, facts, style }: TileProps) {
  const t = useT()
  const textId = `tile-${name}`
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
      <Act act={tileAct(name, user, facts.own, t)} />
      <TileBody name={name} id={textId} user={user} facts={facts} />
    </li>
  )
}

/** A shortcut above the tile's own link. */
function Act({ act }: { act: TileAct | undefined }) {
  if (!act) return null
  const { label, icon, to, search, isMeeting } = act
  const looks = { className: 'tile-act', 'aria-label': label, title: label }
  return isMeeting ? (
    <a {...looks} href={to} target="_blank" rel="noopener">
      <Icon of={icon} size="small" />
    </a>
  ) : (
    <Link {...looks} to={to} search={search}>
      <Icon of={icon} size="small" />
    </Link>
  )
}

/** The current facts of an area. */
function TileBody({ name, id, user, facts }: { name: string; id: string; user: UserInfo; facts: Facts }) {
  const t = useT()
  const { own, staff, isLoading } = facts
  if (name === 'account') return <AccountFact id={id} user={user} facts={facts} />
  if (name === 'wallet') return <WalletFact id={id} user={user} facts={facts} />
  if (name === 'webmail') {
    return (
      <div id={id} className="tile-text">
        <p className="tile-address">{displayAddress(user.email)}</p>
        <Webmail fact={facts.own && tileFact(name, facts.own, t)} />
      </div>
    )
  }
  const fact = own ? tileFact(name, own, t) : staff && staffFact(name, staff, t)
  const weeks = name === 'stats' ? staff?.signups : undefined
  return (
    <div id={id} className={weeks ? 'tile-text tile-text-drawn' : 'tile-text'}>
      <Said fact={fact} isLoading={isLoading} />
      {weeks && <TrendBars values={weeks.map(({ count }) => count)} />}
    </div>
  )
}

/** What the user's mailbox holds or what is wrong with it; otherwise where webmail opens. */
function Webmail({ fact }: { fact: TileFact | undefined }) {
  const t = useT()
  if (!config['app.mail_connected']) return <p>{t('words.mailNotConnected')}</p>
  if (fact?.tone) return <Line fact={fact} />
  return (
    <p>
      {fact?.figure === undefined ? t('dashboard.webmailText') : [fact.figure, fact.unit].join(' ')}
      <Icon of={IconExternalLink} size="small" />
    </p>
  )
}

/** Figure and line of a tile; skeletons of the same size while loading. */
function Said({ fact, isLoading = false }: { fact: TileFact | undefined; isLoading?: boolean | undefined }) {
  if (!fact) return isLoading ? <Waiting /> : null
  return (
    <div>
      {fact.figure !== undefined && (
        <p className="tile-figure">
          <span className="nowrap">{fact.figure}</span>
          {fact.unit && <small>{fact.unit}</small>}
        </p>
      )}
      <Line fact={fact} />
    </div>
  )
}

function Waiting() {
  return (
    <div className="tile-waiting">
      <Skeleton width={46} height={18} />
      <Skeleton width="72%" height={10} />
    </div>
  )
}

const toneIcons = { danger: IconAlertTriangle, warning: IconAlertTriangle, success: IconCircleCheck }

function Line({ fact: { text, tone }, children }: { fact: TileFact; children?: ReactNode }) {
  return (
    <p className={tone && `tile-${tone}`}>
      {tone && <Icon of={toneIcons[tone]} size="small" />}
      <span>
        {text}
        {children}
      </span>
    </p>
  )
}

interface OwnFactProps {
  id: string
  user: UserInfo
  facts: Facts
}

function AccountFact({ id, user, facts: { own, isLoading } }: OwnFactProps) {
  const t = useT()
  const name = fullName(user)
  return (
    <div id={id} className="tile-text">
      <p className={name ? 'tile-figure' : 'tile-address'}>{name || displayAddress(user.email)}</p>
      {own ? <Line fact={securityFact(own.security, t)} /> : isLoading && <LineWaiting />}
    </div>
  )
}

/** The balance is part of the user and follows payments; the rest comes with the overview. */
function WalletFact({ id, user, facts: { own, isLoading } }: OwnFactProps) {
  const t = useT()
  useLiveBalance()
  const wallets = shownWallets(user)
  const sums = balances(wallets)
  const discount = wallets.find((wallet) => wallet.discount)
  const isBelow = sums.some(({ amount }) => amount < 0)
  const fact: TileFact | undefined = isBelow
    ? { text: t('dashboard.topUp'), tone: 'danger' }
    : own && walletFact(own, t)
  return (
    <div id={id} className={own?.wallet ? 'tile-text tile-text-drawn' : 'tile-text'}>
      <div>
        <p className="tile-figure">
          {sums.map(({ currency, amount }) => (
            <span key={currency} className={amount < 0 ? 'nowrap negative' : 'nowrap'}>
              {price(amount, currency)}
            </span>
          ))}
        </p>
        {fact ? <Line fact={fact} /> : isLoading && variant() === 'user' && <LineWaiting />}
        {discount && (
          <p>
            {t('dashboard.discount', {
              percent: discount.discount ?? 0,
              name: discount.discount_description ?? '',
              named: discount.discount_description ? 'yes' : 'no',
            })}
          </p>
        )}
      </div>
      {own?.wallet && <BalanceLine wallet={own.wallet} />}
    </div>
  )
}

function LineWaiting() {
  return (
    <div className="tile-waiting">
      <Skeleton width="60%" height={10} />
    </div>
  )
}
