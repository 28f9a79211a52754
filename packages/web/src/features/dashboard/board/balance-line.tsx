import type { Overview } from '@gatehouse/contract/overview'
import { useState } from 'react'
import { StepLine } from '../../../ui/step-chart/step-line.tsx'

type Wallet = NonNullable<Overview['wallet']>
type Point = Wallet['past'][number]

/** The balance of the last months and its forecast. */
export function BalanceLine({ wallet }: { wallet: Pick<Wallet, 'past' | 'future' | 'balance'> }) {
  const [now] = useState(() => Date.now())
  const past = wallet.past.map(step)
  const future = wallet.future.map(step).filter(({ at }) => at > now)
  // a wallet without recent transactions kept its balance
  const known = past.length > 0 || wallet.balance === 0 ? past : [{ at: now - month, value: wallet.balance }]
  return <StepLine past={known} future={future} now={now} />
}

const month = 30 * 86_400_000

function step({ at, balance }: Point) {
  return { at: Date.parse(at), value: balance }
}
