import type { FileItem } from '@gatehouse/contract/files/file-items'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { callFile } from '../../platform/api/api.ts'
import { Icon } from '../../ui/icon.tsx'
import { itemGlyph } from './item-icon.tsx'

export interface ThumbnailProps {
  item: Pick<FileItem, 'id' | 'type' | 'mimetype' | 'mtime' | 'hasThumbnail'>
  /** Longer side of the rendered image, in pixels. */
  size: '64' | '256' | '1024'
}

/** Thumbnail of an item, or its icon if it has none. Loaded when scrolled into view. */
export function Thumbnail({ item, size }: ThumbnailProps) {
  const frame = useRef<HTMLSpanElement>(null)
  const isSeen = useSeen(frame, item.hasThumbnail)
  const url = useThumbnail(item, size, isSeen)
  const [broken, setBroken] = useState<string>()
  return (
    <span
      ref={frame}
      className={`files-thumb files-thumb-${size}`}
      data-folder={item.type === 'collection' || undefined}
    >
      {url && url !== broken ? (
        <img src={url} alt="" draggable={false} onError={() => setBroken(url)} />
      ) : (
        <Icon of={itemGlyph(item)} size={size === '64' ? 'medium' : 'large'} />
      )}
    </span>
  )
}

/** Thumbnails need the session, which an image URL can't carry, so they are fetched and shown from memory. */
function useThumbnail(
  { id, mtime }: ThumbnailProps['item'],
  size: ThumbnailProps['size'],
  enabled: boolean,
): string | undefined {
  const { data } = useQuery({
    queryKey: ['thumbnail', id, mtime, size],
    queryFn: async ({ signal }) => {
      const { content } = await callFile('GET /api/v4/fs/{id}/thumbnail', {
        params: { id },
        query: { size },
        signal,
        ignoreErrors: true,
      })
      return content
    },
    enabled,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  return useObjectUrl(data)
}

function useObjectUrl(content: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!content) return
    const made = URL.createObjectURL(content)
    // oxlint-disable-next-line react/set-state-in-effect -- the URL lives exactly as long as the effect
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [content])
  return content && url
}

function useSeen(frame: RefObject<HTMLElement | null>, wanted: boolean): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (!element || !wanted || isSeen) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true),
      { rootMargin: '200px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame, wanted, isSeen])
  return isSeen && wanted
}
