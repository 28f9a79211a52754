import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fileSize } from '../../../i18n/file-size.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { previewKind } from './preview-kinds.ts'

/** A file to preview. */
export interface StagedFile {
  readonly id: string
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly mimetype: string | null
  /** Safe URL of the content; undefined: not known yet, or none. */
  readonly url: string | undefined
}

export interface StageProps {
  file: StagedFile | undefined
  isLoading: boolean
  onDownload: () => unknown
}

/** Maximum number of bytes of a text that are shown. */
const mostText = 512 * 1024

/**
 * Shows a file without running any of its content: images as images, audio and video in the browser's
 * player, text as text, and PDF in the browser's viewer, in a frame whose response may load and run nothing.
 */
export function Stage({ file, isLoading, onDownload }: StageProps) {
  const t = useT()
  const [isBroken, setBroken] = useState(false)
  // anything else with a safe URL is some kind of text, which is served as plain text
  const kind = file && (previewKind(file.mimetype) ?? (file.url ? 'text' : undefined))
  if (isLoading || !file) {
    return (
      <div className="preview-stage" aria-busy="true">
        <span className="spinner" aria-hidden="true" />
        <span className="visually-hidden" role="status">
          {t('load.running')}
        </span>
      </div>
    )
  }
  const { url, name } = file
  if (!kind || !url || isBroken || (kind === 'pdf' && !navigator.pdfViewerEnabled)) {
    return <NoPreview onDownload={onDownload} />
  }
  const onError = () => setBroken(true)
  return (
    <div className="preview-stage" data-kind={kind}>
      {kind === 'image' && <img src={url} alt={name} onError={onError} />}
      {/* biome-ignore lint/a11y/useMediaCaption: files of people bring no captions */}
      {kind === 'audio' && <audio src={url} controls aria-label={name} onError={onError} />}
      {/* biome-ignore lint/a11y/useMediaCaption: files of people bring no captions */}
      {kind === 'video' && <video src={url} controls playsInline aria-label={name} onError={onError} />}
      {kind === 'text' && <TextStage url={url} name={name} size={file.size} onDownload={onDownload} />}
      {kind === 'pdf' && (
        <>
          <span className="spinner" aria-hidden="true" />
          {/* A `sandbox` attribute would block the viewer; the policy of the answer forbids all that a page could do. */}
          <iframe src={url} title={name} referrerPolicy="no-referrer" />
        </>
      )}
    </div>
  )
}

function NoPreview({ onDownload }: Pick<StageProps, 'onDownload'>) {
  const t = useT()
  return (
    <div className="preview-stage">
      <div className="preview-none" role="status">
        <b>{t('files.noPreview')}</b>
        <p>{t('files.noPreviewText')}</p>
        <Button variant="primary" onPress={onDownload}>
          {t('words.download')}
        </Button>
      </div>
    </div>
  )
}

interface TextStageProps extends Pick<StageProps, 'onDownload'> {
  url: string
  name: string
  size: number
}

function TextStage({ url, name, size, onDownload }: TextStageProps) {
  const t = useT()
  const { data, isError } = useQuery({
    queryKey: ['preview-text', url],
    queryFn: ({ signal }) => readText(url, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  if (isError) return <NoPreview onDownload={onDownload} />
  return (
    // so that long texts can be scrolled with the keyboard
    <section className="preview-text" aria-label={name} tabIndex={-1}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable */}
      <pre tabIndex={0}>{data ?? t('load.running')}</pre>
      {size > mostText && <p>{t('files.textCut', { shown: fileSize(mostText), size: fileSize(size) })}</p>}
    </section>
  )
}

/** Reads the beginning of a text. The URL contains its own key, so no token is sent. */
async function readText(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, {
    headers: { Range: `bytes=0-${mostText - 1}` },
    credentials: 'omit',
    signal,
  })
  if (!response.ok && response.status !== 416)
    throw new Error(`the text could not be loaded: ${response.status}`)
  if (response.status === 416) return ''
  const bytes = (await response.arrayBuffer()).slice(0, mostText)
  return new TextDecoder(charsetOf(response.headers.get('Content-Type'))).decode(bytes)
}

function charsetOf(type: string | null): string {
  const charset = /charset=["']?([\w-]+)/i.exec(type ?? '')?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).encoding
  } catch {
    return 'utf-8'
  }
}
