import {
  hasDiscount,
  listPrograms,
  type Program,
  writeProgram,
} from '../../billing/referrals/program-store.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import { Conflict, message, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { isUuid, newUuid } from '../../platform/ids.ts'
import { readOfferLimits } from '../../tenants/offer-limit-store.ts'
import { holdTenant } from '../../tenants/tenant-store.ts'
import { differences } from '../../users/user-snapshot.ts'
import type { OfferParts } from './change-catalogue.ts'

export interface ProgramChange {
  readonly tenantId: number
  readonly actor: Actor
  readonly revision?: string | null | undefined
  /** Formats an amount in the tenant's currency. */
  readonly money: (cents: number) => string
}

export type ProgramInput = Omit<Program, 'id' | 'revision'>

/** Creates a referral programme. Returns its id. Throws ValidationError by field. */
export function createProgram(
  parts: OfferParts,
  change: ProgramChange,
  input: ProgramInput,
): Promise<string> {
  const program = { ...input, id: newUuid(), revision: 0 }
  return parts.db.transaction().execute(async (trx) => {
    await put(trx, parts, change, program, undefined)
    await note(trx, parts, change, 'program-created', { id: program.id, after: factsOf(program) })
    return program.id
  })
}

/**
 * Changes or pauses a referral programme. Awards use the amount in force when they are earned. Throws
 * NotFound, Conflict, ValidationError by field.
 */
export async function changeProgram(
  parts: OfferParts,
  change: ProgramChange,
  id: string,
  input: Partial<ProgramInput>,
): Promise<void> {
  await parts.db.transaction().execute(async (trx) => {
    if ((await holdTenant(trx, change.tenantId)) === undefined) throw new NotFound()
    const was = (await listPrograms(trx, change.tenantId)).find((one) => one.id === id)
    if (was === undefined) throw new NotFound()
    if (change.revision != null && change.revision !== String(was.revision))
      throw new Conflict(message('directory.changed-meanwhile'))
    const program = { ...was, ...input }
    await put(trx, parts, change, program, was)
    const data = differences(factsOf(was), factsOf(program))
    if (data !== undefined) await note(trx, parts, change, 'program-changed', { id, ...data })
  })
}

async function put(
  trx: Db,
  { clock }: OfferParts,
  { tenantId, money }: ProgramChange,
  program: Program,
  was: Program | undefined,
): Promise<void> {
  if ((await holdTenant(trx, tenantId)) === undefined) throw new NotFound()
  const limits = await readOfferLimits(trx, tenantId)
  if (limits !== null && program.award > limits.referralAward && program.award !== was?.award)
    throw ValidationError.at('award', 'tenant-offer.award-too-high', { max: money(limits.referralAward) })
  const { discountId } = program
  const isKnown =
    discountId === null || (isUuid(discountId) && (await hasDiscount(trx, tenantId, discountId)))
  if (!isKnown) throw ValidationError.at('discount', 'tenant-offer.discount-unknown')
  await writeProgram(trx, tenantId, program, clock.now())
}

function factsOf({ name, description, award, threshold, discountId: discount, active }: Program) {
  return { name, description, award, threshold, discount, active }
}

async function note(
  trx: Db,
  { clock }: OfferParts,
  { tenantId, actor }: ProgramChange,
  what: string,
  data: Record<string, unknown>,
): Promise<void> {
  const event = `tenant.${what}`
  await audit(trx, clock, { tenantId, objectType: 'tenant', objectId: tenantId, event, actor, data })
}
