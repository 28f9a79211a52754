import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useT } from '../../../../i18n/i18n.ts'
import { useStore } from '../../../../state/store.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { type Box, placeLarge, placeTiles, roomFor } from '../../room/layout.ts'
import { stageOf } from '../../room/stage.ts'
import { useMeeting, useRoom } from '../meeting-context.ts'
import { Tile } from './tile.tsx'

/** Aspect ratio assumed until a video's own is known. */
const usualRatio = 16 / 9

/** The tiles, as large as possible; paged if they don't fit. */
export function StageArea() {
  const t = useT()
  const meeting = useMeeting()
  const room = useRoom()
  const remotes = useStore(meeting.remotes)
  const { camera, screen } = useStore(meeting.local.state)
  const frame = useRef<HTMLDivElement>(null)
  const box = useBox(frame)
  const [ratios, setRatios] = useState<Readonly<Record<string, number>>>({})
  const [wanted, setWanted] = useState(0)

  const stage = stageOf({
    room,
    remotes,
    sharesScreen: screen.length > 0,
    showsSelf: camera.track !== undefined && !camera.muted,
  })
  const { large } = stage
  const places = placeLarge({
    box,
    count: stage.others.length,
    large: large && (ratios[large.key] ?? usualRatio),
  })
  const perPage = roomFor(places.rest)
  const pages = Math.max(1, Math.ceil(stage.others.length / perPage))
  const page = Math.min(wanted, pages - 1)
  const shown = stage.others.slice(page * perPage, (page + 1) * perPage)
  const spots = placeTiles(shown.length, places.rest, places.origin)
  const noteRatio = (key: string) => (ratio: number) =>
    setRatios((before) => (before[key] === ratio ? before : { ...before, [key]: ratio }))
  const isEmpty = !large && shown.length === 0
  return (
    <section className="stage-matrix" aria-label={t('meeting.stage')}>
      <div ref={frame} className="stage-places">
        {large && places.large && (
          <Tile key={large.key} tile={large} place={places.large} onRatio={noteRatio(large.key)} />
        )}
        {box.width > 0 &&
          shown.map((tile, index) => {
            const place = spots[index]
            return place && <Tile key={tile.key} tile={tile} place={place} onRatio={noteRatio(tile.key)} />
          })}
      </div>
      {isEmpty && <p className="stage-empty">{t('meeting.nobodyOnStage')}</p>}
      {pages > 1 && (
        <div className="stage-pages">
          <Button
            size="small"
            icon={IconChevronLeft}
            label={t('meeting.previousPage')}
            disabled={page === 0}
            onPress={() => setWanted(page - 1)}
          />
          <span className="small">{t('meeting.page', { page: page + 1, pages })}</span>
          <Button
            size="small"
            icon={IconChevronRight}
            label={t('meeting.nextPage')}
            disabled={page === pages - 1}
            onPress={() => setWanted(page + 1)}
          />
        </div>
      )}
    </section>
  )
}

/** Content size of an element, updated on resize. */
function useBox(frame: RefObject<HTMLElement | null>): Box {
  const [box, setBox] = useState<Box>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setBox({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame])
  return box
}
