import type { SourceOf } from '@gatehouse/contract/meetings/meet-media'
import { kindOf } from '@gatehouse/contract/meetings/meet-sources'
import type { Receive } from '../engine.ts'

/** Returns whether a receiver may get a source at all. */
export function receives(receive: Receive, { peer, source }: SourceOf): boolean {
  const rule = receive[kindOf(source)]
  if (rule === undefined) return true
  const listed = 'only' in rule ? rule.only : rule.except
  const isListed = listed.some((one) => one.peer === peer && one.source === source)
  return 'only' in rule ? isListed : !isListed
}
