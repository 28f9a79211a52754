import { useEffect, useRef, useState } from 'react'
import { callFile, type ReceivedFile } from '../../../platform/api/api.ts'
import { isCancelled } from '../../../platform/api/api-error.ts'
import { type ChainVerdict, linesOf, verifyChain } from './chain.ts'
import { knownHead, rememberHead } from './known-head.ts'

export type Verification =
  | { step: 'ready' }
  | { step: 'loading' }
  | { step: 'running'; done: number; all: number }
  | { step: 'done'; verdict: ChainVerdict }
  | { step: 'failed' }

/** Downloads the chain of a wallet and verifies it in the browser. Aborted when the page is left. */
export function useVerification(wallet: string) {
  const [state, setState] = useState<Verification>({ step: 'ready' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const verify = async () => {
    running.current?.abort()
    const work = new AbortController()
    running.current = work
    const { signal } = work
    setState({ step: 'loading' })
    try {
      const { content } = await downloadChain(wallet, signal)
      const lines = linesOf(await content.text())
      setState({ step: 'running', done: 0, all: lines.length })
      const onProgress = (done: number) => setState({ step: 'running', done, all: lines.length })
      const verdict = await verifyChain(lines, { wallet, known: knownHead(wallet), onProgress, signal })
      if (verdict.holds && verdict.head) rememberHead(wallet, verdict.head)
      setState({ step: 'done', verdict })
    } catch (failure) {
      if (!isCancelled(failure)) setState({ step: 'failed' })
    }
  }
  return { state, verify }
}

/** Downloads the chain as a file. With a signal, the caller shows errors. */
export function downloadChain(wallet: string, signal?: AbortSignal): Promise<ReceivedFile> {
  return callFile('GET /api/v4/wallets/{id}/chain', {
    params: { id: wallet },
    ...(signal && { signal, ignoreErrors: true }),
  })
}
