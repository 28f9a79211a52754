import { importLimits } from '@gatehouse/contract/mail/import-terms'
import type { Db } from '../../platform/db/database.ts'
import { quoted } from '../imap/folder-list.ts'
import type { ImapSession, IncomingLiteral } from '../imap/imap-session.ts'
import {
  fingerprint,
  type MessageFacts,
  openFolder,
  readFacts,
  readMessage,
  uidsAfter,
} from '../imap/messages.ts'
import { ImapNo, ImapUnreachable } from '../imap/session-errors.ts'
import { removeSkips, type StoredFolder } from '../import-store.ts'
import { SourceProblem } from '../source/open-source.ts'
import type { MailTarget } from '../target/mail-target.ts'
import { FolderProgress, type RunMeter } from './folder-progress.ts'

export interface CopyParts {
  readonly db: Db
  readonly source: ImapSession
  readonly target: MailTarget
  readonly meter: RunMeter
  /** Seconds since 1970 for messages whose date is invalid. It doesn't change between attempts. */
  readonly fallbackDate: number
  /** Earlier attempts in a row that copied nothing. */
  readonly failures: number
  /** Whether the run has to end, so that others get their turn. */
  readonly isOver: () => boolean
}

export type CopyResult = 'done' | 'paused' | 'cancelled'

/** Messages whose facts are read at once. */
const batch = 100
/** Attempts after which a message that breaks the connection is skipped. */
const mostFailures = 3

/** A message is longer than the server said, so that it can't be skipped without reading it. */
class UnexpectedLength extends Error {
  override name = 'UnexpectedLength'
}

/** The server sent a message that can't be read again within the run: continue with the next run. */
export class ConnectionSpent extends Error {
  override name = 'ConnectionSpent'
}

/**
 * Copies what a folder contains beyond the stored position. A message that was copied just before an interruption is
 * recognized in the mailbox by its Message-ID, size and date.
 */
export async function copyFolder(parts: CopyParts, stored: StoredFolder): Promise<CopyResult> {
  const progress = new FolderProgress(parts.db, stored, parts.meter)
  const prepared = await prepare(parts, progress)
  if (prepared !== undefined) return prepared
  const uids = await uidsAfter(parts.source, progress.folder.lastUid)
  const { folder } = progress
  progress.change({ messages: folder.copied + folder.existing + folder.skipped + uids.length })
  if (!(await progress.store())) return 'cancelled'
  const known = await parts.target.fingerprints(folder.target, folder.knownBelow, folder.targetUid)
  for (let at = 0; at < uids.length; at += batch) {
    const result = await copyBatch(parts, progress, known, uids.slice(at, at + batch))
    if (result !== 'done') return result
  }
  progress.change({ isDone: true, knownBelow: 0 })
  return (await progress.store()) ? 'done' : 'cancelled'
}

/** Opens both folders. Returns a result only if there is nothing to copy. */
async function prepare(parts: CopyParts, progress: FolderProgress): Promise<CopyResult | undefined> {
  const { importId, n, name, target } = progress.folder
  const giveUp = async (reason: 'folder-unreadable' | 'folder-refused', { answer }: ImapNo) => {
    progress.skip(0, reason, { answer })
    progress.change({ isDone: true })
    return (await progress.store()) ? 'done' : 'cancelled'
  }
  const validity = await refusedOr(openFolder(parts.source, quoted(name)))
  if (validity instanceof ImapNo) return giveUp('folder-unreadable', validity)
  const ready = await refusedOr(parts.target.prepare(target))
  if (ready instanceof ImapNo) return giveUp('folder-refused', ready)
  if (progress.folder.validity !== validity) {
    // the UIDs mean other messages now: start again, and compare with everything in the mailbox
    await removeSkips(parts.db, importId, n)
    const none = { copied: 0, existing: 0, skipped: 0, copiedBytes: 0 }
    progress.change({ ...none, validity, lastUid: 0, targetUid: 0, knownBelow: ready.nextUid })
  }
  if (progress.folder.targetValidity !== ready.validity) {
    progress.change({ targetValidity: ready.validity, targetUid: 0, knownBelow: ready.nextUid })
  }
  return undefined
}

async function refusedOr<T>(work: Promise<T>): Promise<T | ImapNo> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ImapNo) return error
    throw error
  }
}

async function copyBatch(
  parts: CopyParts,
  progress: FolderProgress,
  known: Map<string, number>,
  uids: readonly number[],
): Promise<CopyResult> {
  const found = new Map<number, MessageFacts>()
  await readFacts(parts.source, uids.join(','), (facts) => found.set(facts.uid, facts))
  try {
    for (const uid of uids) {
      if (parts.isOver()) return (await progress.store()) ? 'paused' : 'cancelled'
      const facts = found.get(uid)
      // deleted meanwhile
      if (facts === undefined) progress.settle(uid)
      else await copyMessage(parts, progress, known, facts)
      if (!(await progress.storeSometimes())) return 'cancelled'
    }
    return 'done'
  } catch (error) {
    await progress.store()
    throw error
  }
}

async function copyMessage(
  parts: CopyParts,
  progress: FolderProgress,
  known: Map<string, number>,
  facts: MessageFacts,
): Promise<void> {
  const { uid, size: bytes } = facts
  const receivedAt = facts.receivedAt ?? parts.fallbackDate
  const mark = fingerprint(facts, receivedAt)
  const copies = known.get(mark) ?? 0
  if (copies > 0) {
    known.set(mark, copies - 1)
    progress.recognize(uid)
    return
  }
  if (bytes > importLimits.message) return progress.skip(uid, 'too-large', { bytes })
  const result = await transfer(parts, progress.folder.target, { ...facts, receivedAt })
  if ('stored' in result) progress.settle(uid, { bytes: result.bytes, targetUid: result.stored })
  else progress.skip(uid, result.reason, { bytes, ...(result.answer !== '' && { answer: result.answer }) })
  if ('isSpent' in result) throw new ConnectionSpent('the connection must be opened again')
}

type Transfer =
  | { readonly stored: number | null; readonly bytes: number }
  | {
      readonly reason: 'refused' | 'unreadable' | 'too-large'
      readonly answer: string
      readonly isSpent?: true
    }

/** Cyrus doesn't send the code of RFC 5530 for all commands. */
function isOverQuota(refused: ImapNo): boolean {
  return refused.hasCode('OVERQUOTA') || /^over ?quota/i.test(refused.answer)
}

/** Streams a message from one server to the other. */
async function transfer(
  { source, target, failures }: CopyParts,
  folder: string,
  facts: MessageFacts & { readonly receivedAt: number },
): Promise<Transfer> {
  let result: Transfer = { reason: 'unreadable', answer: '' }
  const onBody = async (body: IncomingLiteral) => {
    if (body.size > importLimits.message) throw new UnexpectedLength()
    const stored = await refusedOr(target.append(folder, facts, body))
    if (!(stored instanceof ImapNo)) result = { stored: stored.uid, bytes: body.size }
    else if (isOverQuota(stored)) throw new SourceProblem('quota', stored.answer, false)
    else result = { reason: 'refused', answer: stored.answer }
  }
  try {
    await readMessage(source, facts.uid, onBody)
    return result
  } catch (error) {
    if (error instanceof ImapNo) return { reason: 'unreadable', answer: error.answer }
    if (error instanceof UnexpectedLength) return { reason: 'too-large', answer: '', isSpent: true }
    // a message that ends the connection each time would stop all that follow
    const isPoison = error instanceof ImapUnreachable && failures >= mostFailures && target.isOpen
    if (isPoison) return { reason: 'unreadable', answer: error.message, isSpent: true }
    throw error
  }
}
