import type { ImportKind } from '@gatehouse/contract/directory/bulk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { batchQuery } from '../../domain/bulk/batch-calls.ts'
import { errorSentence } from '../../domain/bulk/error-sentence.ts'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { ApiError, isCancelled } from '../../platform/api/api-error.ts'
import { useApi } from '../../platform/api/query.tsx'
import { upload } from '../../platform/api/upload.ts'
import { useNavigate } from '../../router/router-context.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { FileDrop, tableFiles } from '../../ui/fields/file-drop.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Note } from '../../ui/page/note.tsx'
import { maxBytes, maxRows } from './import-kinds.ts'

/** Accepts a dropped or chosen file and opens its preview. */
export function UploadSection({ kind }: { kind: ImportKind }) {
  const t = useT()
  const id = useId()
  const [chosen, setChosen] = useState<string>()
  const packages = usePackages(kind === 'users')
  const packageId = kind === 'users' ? (chosen ?? packages.list[0]?.id) : undefined
  const { share, problem, send, cancel } = useUpload(kind, packageId)
  return (
    <FormSection
      title={t('words.file')}
      hint={t('imports.fileHint', { rows: number(maxRows), size: number(maxBytes / 1024 / 1024) })}
    >
      {packages.isError && <LoadFailed onRetry={packages.retry} />}
      {packageId !== undefined && (
        <Select
          id={id}
          label={t('words.package')}
          hint={t('imports.packageHint')}
          value={packageId}
          onValue={setChosen}
          disabled={share !== undefined}
          options={packages.list.map((one) => ({ value: one.id, label: one.name }))}
        />
      )}
      {problem && (
        <Note tone="danger" live title={t('imports.refused')}>
          {problem}
        </Note>
      )}
      {share === undefined ? (
        <FileDrop
          label={t('imports.drop')}
          accept={tableFiles}
          disabled={kind === 'users' && packageId === undefined}
          onFile={send}
        />
      ) : (
        <div className="bulk-progress">
          <progress aria-label={t('imports.uploading')} value={share} max={1} />
          <span className="row">
            <span className="small text-3">{t('imports.uploading')}</span>
            <span className="spacer" />
            <Button size="small" onPress={cancel}>
              {t('words.cancel')}
            </Button>
          </span>
        </div>
      )}
    </FormSection>
  )
}

/** Packages users can have; the first is the default. */
function usePackages(enabled: boolean) {
  const { data, isError, refetch } = useApi('GET /api/v4/packages', {}, { enabled })
  return { list: data?.filter(({ isDomain }) => !isDomain) ?? [], isError, retry: refetch }
}

function useUpload(kind: ImportKind, packageId: string | undefined) {
  const t = useT()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [share, setShare] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const send = async (file: File) => {
    if (running.current) return
    setProblem(undefined)
    if (file.size > maxBytes) {
      setProblem(t('imports.tooLarge', { size: number(maxBytes / 1024 / 1024) }))
      return
    }
    const controller = new AbortController()
    running.current = controller
    setShare(0)
    try {
      const query = { kind, package: packageId ?? null }
      const options = { file, query, onProgress: setShare, signal: controller.signal }
      const { batch } = await upload('POST /api/v4/imports', options)
      client.setQueryData(batchQuery(batch.id).queryKey, batch)
      await navigate({ to: `/import/${batch.id}` })
    } catch (error) {
      if (!isCancelled(error)) setProblem(sentence(error))
    } finally {
      running.current = undefined
      setShare(undefined)
    }
  }
  const sentence = (error: unknown) =>
    error instanceof ApiError && error.status === 413
      ? t('imports.tooLarge', { size: number(maxBytes / 1024 / 1024) })
      : errorSentence(error)
  return { share, problem, send: (file: File) => void send(file), cancel: () => running.current?.abort() }
}
