import type { InviteRow } from '@gatehouse/contract/invitations'
import { useEffect, useRef, useState } from 'react'
import { errorSentence } from '../../domain/bulk/error-sentence.ts'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { ApiError, isCancelled } from '../../platform/api/api-error.ts'
import { upload } from '../../platform/api/upload.ts'

/** Maximum size of a file in bytes; must match the contract. */
export const maxBytes = 1024 * 1024

/** Preview of a file. */
export interface InvitePreview {
  /** Number of addresses that would be invited. */
  count: number
  rows: readonly InviteRow[]
}

/** A file of addresses: first previewed by the server, then submitted. */
export interface InviteFileState {
  name: string | undefined
  preview: InvitePreview | undefined
  problem: string | undefined
  busy: boolean
  choose: (file: File) => void
  /** Discards the file. */
  clear: () => void
  send: () => Promise<void>
}

export function useInviteFile(onDone: (message: string) => Promise<void>): InviteFileState {
  const t = useT()
  const [file, setFile] = useState<File>()
  const [preview, setPreview] = useState<InvitePreview>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const tooLarge = () => t('invitations.tooLarge', { size: number(maxBytes / 1024 / 1024) })
  const post = async (content: File, isPreview: boolean) => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setBusy(true)
    setProblem(undefined)
    try {
      return await upload('POST /api/v4/invitations/import', {
        file: content,
        query: { preview: isPreview ? '1' : '0' },
        onProgress: () => {},
        signal: controller.signal,
      })
    } catch (error) {
      if (isCancelled(error)) return undefined
      setPreview(undefined)
      setProblem(error instanceof ApiError && error.status === 413 ? tooLarge() : errorSentence(error))
      return undefined
    } finally {
      if (running.current === controller) setBusy(false)
    }
  }

  return {
    name: file?.name,
    preview,
    problem,
    busy,
    choose: (content) => {
      setFile(content)
      setPreview(undefined)
      if (content.size > maxBytes) return setProblem(tooLarge())
      void post(content, true).then(
        (answer) => answer && setPreview({ count: answer.count, rows: answer.rows }),
      )
    },
    clear: () => {
      running.current?.abort()
      setFile(undefined)
      setPreview(undefined)
      setProblem(undefined)
    },
    send: async () => {
      const answer = file && (await post(file, false))
      if (answer) await onDone(answer.message)
    },
  }
}
