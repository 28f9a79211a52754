import { displayAddress } from '@gatehouse/contract/canonical-address'
import { kinds } from '@gatehouse/contract/directory/kinds'
import type { AuditEvent } from '@gatehouse/contract/events'
import { Fragment } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { hasPermission, useUser } from '../../platform/session/auth.ts'
import { Link } from '../../router/link.tsx'
import { isMailKind, pageOf } from '../directory/kind.ts'
import { isOfFile, type SentencePart, subjectOf } from './event-sentence.ts'
import './events.css'

export interface ToldEventProps {
  event: AuditEvent
  sentence: readonly SentencePart[]
  /** The actor's name filters the activity by that person. */
  narrows?: boolean | undefined
}

/** An event as a sentence, with links to existing objects. */
export function ToldEventLine({ event, sentence, narrows = false }: ToldEventProps) {
  const t = useT()
  const readerId = useUser()?.id
  const page = objectPage(event, readerId)
  const { kind } = subjectOf(event, readerId)
  const isPerson = kind === 'person' || kind === 'you'
  const person = narrows && isPerson && event.actor !== null ? event.actor : undefined
  return (
    <span className="event-sentence">
      {sentence.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sentence parts are identified only by position
        <Fragment key={index}>
          {part.kind === 'actor' && person !== undefined ? (
            <Link
              className="event-actor"
              to="/activity"
              search={{ actor: person }}
              title={t('sentences.onlyPerson', { person: displayAddress(person) })}
            >
              {part.text}
            </Link>
          ) : (
            <Piece part={part} page={page} />
          )}
        </Fragment>
      ))}
      {isGone(event) && <span className="text-3"> · {t('sentences.gone')}</span>}
    </span>
  )
}

function Piece({ part, page }: { part: SentencePart; page: string | undefined }) {
  if (part.kind === 'text') return part.text
  if (part.kind === 'object' && page !== undefined) return <Link to={page}>{part.text}</Link>
  return <span className="medium">{part.text}</span>
}

/** Returns the page of an event's object, if it exists and the reader may open it. */
function objectPage(event: AuditEvent, readerId: number | undefined): string | undefined {
  const { objectType, objectId, object, objectDeleted, file } = event
  if (isOfFile(event)) {
    const id = event.data?.file
    // other users' files are private, even from those who pay for them
    if (file === undefined || typeof id !== 'string' || objectId !== readerId) return undefined
    return file === 'collection' && hasPermission('files') ? `/files/${id}` : `/file/${id}`
  }
  if (object === null || objectDeleted) return undefined
  const kind = isMailKind(objectType) ? objectType : objectType === 'room' ? objectType : undefined
  return kind && hasPermission(kinds[kind].permission) ? `${pageOf(kind)}/${objectId}` : undefined
}

/** Whether the object was deleted and the sentence doesn't say so. */
function isGone({ event, object, objectDeleted }: AuditEvent): boolean {
  return (object === null || objectDeleted) && !/\.(deleted|erased)$/.test(event)
}
