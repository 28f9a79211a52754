import type { DelegationOptions, delegationRoutes } from '@gatehouse/contract/directory/delegation'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { LateContext } from '../../platform/http/call.ts'
import { message, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { type Checked, together } from '../../platform/http/validation.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { AccountView } from '../account-view/account-view.ts'
import { actorOf } from '../actor.ts'
import { parseEmailAddress } from '../addresses/email-address.ts'
import { differences } from '../user-snapshot.ts'
import { checkOptions, optionsRefused } from './delegation-input.ts'
import {
  createDelegationJob,
  provisionDelegation,
  updateDelegationJob,
  withdrawDelegation,
} from './delegation-jobs.ts'
import {
  type DelegationUser,
  findColleague,
  holdDelegation,
  holdDelegationsOf,
  insertDelegation,
  keepUsers,
  removeDelegations,
  type StoredDelegation,
  setOptions,
} from './delegation-store.ts'

/** Dependencies for creating, changing and ending delegations. */
export interface DelegationParts {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
}

type NewContext = LateContext<(typeof delegationRoutes)['POST /api/v4/users/{id}/delegations']>
type ChangeContext = LateContext<(typeof delegationRoutes)['PUT /api/v4/users/{id}/delegations/{email}']>

/** Creates a delegation to another user in the account; returns its id. */
export async function createDelegation(
  parts: DelegationParts,
  delegator: AccountView,
  context: NewContext,
): Promise<string> {
  const { found } = await context.read(
    async ({ email, options }) =>
      together(
        {},
        { delegatee: await checkDelegatee(parts.db, delegator, email), options: checkOptions(options) },
      ),
    optionsRefused,
  )
  const facts = {
    tenantId: delegator.user.tenantId,
    delegator: { id: delegator.user.id, email: delegator.user.email },
    ...found,
  }
  const actor = actorOf(context.principal, context)
  return parts.db.transaction().execute((trx) => addDelegation(trx, parts, facts, actor))
}

/** Finds another active user in the account; outsiders get the same error as unknown addresses. */
async function checkDelegatee(
  db: Db,
  delegator: AccountView,
  sent: string | undefined,
): Promise<Checked<DelegationUser>> {
  const email = parseEmailAddress(sent ?? '')?.full
  if (email === undefined) return { errors: { email: [message('validation.email')] } }
  if (email === delegator.user.email || delegator.aliases.includes(email)) {
    return { errors: { email: [message('policies.delegatee-self')] } }
  }
  const user = await findColleague(db, delegator.user.id, email)
  return user === undefined ? { errors: { email: [message('policies.delegateeinvalid')] } } : { value: user }
}

async function addDelegation(
  trx: Db,
  { clock, jobs }: DelegationParts,
  facts: Omit<StoredDelegation, 'id'>,
  actor: Actor,
): Promise<string> {
  const { delegator, delegatee, options } = facts
  if (!(await keepUsers(trx, [delegator.id, delegatee.id]))) throw refused('policies.delegateeinvalid')
  const id = await insertDelegation(trx, clock, facts)
  if (id === undefined) throw refused('policies.delegatee-exists')
  await note(trx, clock, facts, 'delegation.created', actor, { delegatee: delegatee.email, after: options })
  await provisionDelegation(jobs, trx, createDelegationJob, { id, delegatorId: delegator.id })
  return id
}

function refused(key: 'policies.delegateeinvalid' | 'policies.delegatee-exists'): ValidationError {
  return new ValidationError({ email: [message(key)] })
}

/** Changes what a delegate may do; returns everything granted now. Throws NotFound. */
export function updateDelegation(
  parts: DelegationParts,
  delegator: AccountView,
  context: ChangeContext,
): Promise<DelegationOptions> {
  const { clock, jobs } = parts
  return parts.db.transaction().execute(async (trx) => {
    const held = await heldDelegation(trx, delegator, context.params.email)
    const { found: options } = await context.read(
      (fields) => checkOptions(fields.options, held.options.send_as),
      optionsRefused,
    )
    const changed = differences(held.options, options)
    if (changed === undefined) return options
    await setOptions(trx, clock, held.id, options)
    const actor = actorOf(context.principal, context)
    await note(trx, clock, held, 'delegation.updated', actor, {
      delegatee: held.delegatee.email,
      ...changed,
    })
    await provisionDelegation(jobs, trx, updateDelegationJob, {
      id: held.id,
      delegatorId: held.delegator.id,
    })
    return options
  })
}

/** Ends a delegation. Throws NotFound. */
export function deleteDelegation(
  parts: DelegationParts,
  delegator: AccountView,
  email: string,
  actor: Actor,
): Promise<void> {
  return parts.db.transaction().execute(async (trx) => {
    await end(trx, parts, [await heldDelegation(trx, delegator, email)], actor)
  })
}

/** Ends all delegations from and to a user, in the transaction that deletes the user. */
export async function endDelegationsOf(
  trx: Db,
  parts: Pick<DelegationParts, 'clock' | 'jobs'>,
  userId: number,
  actor: Actor,
): Promise<void> {
  await end(trx, parts, await holdDelegationsOf(trx, userId), actor)
}

async function heldDelegation(trx: Db, delegator: AccountView, email: string): Promise<StoredDelegation> {
  const address = parseEmailAddress(email)
  const held = address && (await holdDelegation(trx, delegator.user.id, address.full))
  if (held === undefined) throw new NotFound()
  return held
}

async function end(
  trx: Db,
  { clock, jobs }: Pick<DelegationParts, 'clock' | 'jobs'>,
  ended: readonly StoredDelegation[],
  actor: Actor,
): Promise<void> {
  await removeDelegations(
    trx,
    ended.map((one) => one.id),
  )
  for (const one of ended) {
    const data = { delegatee: one.delegatee.email, before: one.options }
    await note(trx, clock, one, 'delegation.deleted', actor, data)
    await withdrawDelegation(jobs, trx, one)
  }
}

/** Records changes of a delegation for the delegator. */
function note(
  trx: Db,
  clock: Clock,
  delegation: Pick<StoredDelegation, 'tenantId' | 'delegator'>,
  event: string,
  actor: Actor,
  data: Record<string, unknown>,
): Promise<void> {
  return audit(trx, clock, {
    tenantId: delegation.tenantId,
    objectType: 'user',
    objectId: delegation.delegator.id,
    event,
    actor,
    data,
  })
}
