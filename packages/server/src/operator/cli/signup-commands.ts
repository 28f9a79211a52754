import type { Db } from '../../platform/db/database.ts'
import { isUuid, newUuid } from '../../platform/ids.ts'
import { randomShortCode } from '../../platform/secrets.ts'
import { systemTenant } from '../../platform/tenant.ts'
import { insertToken } from '../../signup/token-store.ts'
import { findPlan } from '../../subscriptions/plans.ts'
import { type Command, UsageError } from './command.ts'
import { findDiscount } from './discount-commands.ts'
import { dayOf, readArguments, readLastDay, readNumber } from './options.ts'

const tokenCommands: readonly Command[] = [
  {
    name: 'signup-token:create',
    usage: 'signup-token:create <plan> [token …] [--limit=<accounts>] [--expires=<last day>]',
    summary: 'let whoever has the token sign up for a plan in token mode; without a token one is made up',
    needs: 1,
    async run({ args, db, clock, print }) {
      const { words, options } = readArguments(args, ['limit', 'expires'])
      const [title = '', ...given] = words
      const plan = await findPlan(db, systemTenant, title)
      if (plan?.mode !== 'token') throw new UsageError(`There is no plan ${title} in token mode.`)
      const end = {
        limit: readNumber(options.limit, 1) ?? null,
        expiresAt: readLastDay(options.expires) ?? null,
      }
      const tokens = given.length > 0 ? given : [randomShortCode(16)]
      const wrong = tokens.find((token) => !/^[\w.-]{1,191}$/.test(token))
      if (wrong !== undefined) {
        throw new UsageError(`${wrong}: a token has letters, digits, dots, hyphens and underscores.`)
      }
      await db.transaction().execute(async (trx) => {
        for (const token of tokens) {
          const isNew = await insertToken(trx, { token, planId: plan.id, ...end, now: clock.now() })
          if (!isNew) throw new UsageError(`There is a token ${token.toUpperCase()} already.`)
        }
      })
      for (const token of tokens) print(token.toUpperCase())
    },
  },
  {
    name: 'signup-token:list',
    usage: 'signup-token:list',
    summary: 'sign-up tokens with their plans and how many accounts were made with each',
    needs: 0,
    async run({ db, print }) {
      const rows = await db
        .selectFrom('signup_tokens as t')
        .innerJoin('plans as p', 'p.id', 't.plan_id')
        .select(['t.token', 't.counter', 't.usage_limit', 't.expires_at', 'p.title'])
        .where('p.tenant_id', '=', systemTenant)
        .orderBy('t.token')
        .execute()
      for (const row of rows) {
        const limit = row.usage_limit === null ? '' : ` of ${row.usage_limit}`
        print(`${row.token}  ${row.title}  ${row.counter}${limit} accounts  ${dayOf(row.expires_at)}`)
      }
    },
  },
]

const programCommands: readonly Command[] = [
  {
    name: 'referral-program:create',
    usage:
      'referral-program:create <name> <description> [--award=<cents>] [--threshold=<cents>] [--discount=<id or code>]',
    summary: 'award those by whose code others sign up and pay so much; the discount is for the newcomer',
    needs: 2,
    async run({ args, db, clock, print }) {
      const { words, options } = readArguments(args, ['award', 'threshold', 'discount'])
      const [name = '', description = ''] = words
      if (name === '') throw new UsageError('A programme needs a name.')
      const id = newUuid()
      const now = clock.now()
      await db
        .insertInto('referral_programs')
        .values({
          ...{ id, tenant_id: systemTenant, active: true, created_at: now, updated_at: now },
          name: JSON.stringify({ en: name }),
          description: JSON.stringify({ en: description }),
          award_amount: readNumber(options.award) ?? 0,
          payments_threshold: readNumber(options.threshold) ?? 0,
          discount_id:
            options.discount === undefined ? null : await findDiscount(db, systemTenant, options.discount),
        })
        .execute()
      print(id)
    },
  },
  {
    name: 'referral-program:list',
    usage: 'referral-program:list',
    summary: 'programmes of referral with how many accounts came by each, and how many of them were awarded',
    needs: 0,
    async run({ db, print }) {
      for (const row of await readPrograms(db)) {
        const state = row.active ? 'active' : 'inactive'
        const sums = `award ${row.award_amount}  from ${row.payments_threshold}`
        print(
          `${row.id}  ${row.name.en ?? ''}  ${state}  ${sums}  ${row.accounts} accounts  ${row.awarded} awarded`,
        )
      }
    },
  },
  {
    name: 'referral-program:deactivate',
    usage: 'referral-program:deactivate <id>',
    summary: 'let nobody sign up by a programme any more; those who have are still awarded for',
    needs: 1,
    async run({ args, db, clock, print }) {
      const [id = ''] = args
      const row = isUuid(id)
        ? await db
            .updateTable('referral_programs')
            .set({ active: false, updated_at: clock.now() })
            .where('id', '=', id)
            .where('tenant_id', '=', systemTenant)
            .returning('id')
            .executeTakeFirst()
        : undefined
      if (row === undefined) throw new UsageError(`There is no programme ${id}.`)
      print(`${id} is inactive.`)
    },
  },
]

function readPrograms(db: Db) {
  return db
    .selectFrom('referral_programs as p')
    .leftJoin('referral_codes as c', 'c.program_id', 'p.id')
    .leftJoin('referrals as r', 'r.code', 'c.code')
    .select(['p.id', 'p.name', 'p.active', 'p.award_amount', 'p.payments_threshold'])
    .select((eb) => [
      eb.fn.count<number>('r.id').as('accounts'),
      // a referral that was closed without an award bears the moment of its making
      eb.fn
        .count<number>('r.id')
        .filterWhere('r.redeemed_at', 'is not', null)
        .filterWhere((where) => where('r.redeemed_at', '<>', where.ref('r.created_at')))
        .as('awarded'),
    ])
    .where('p.tenant_id', '=', systemTenant)
    .groupBy('p.id')
    .orderBy('p.created_at')
    .execute()
}

/** Ways to sign up that only an operator opens. */
export const signupCommands: readonly Command[] = [...tokenCommands, ...programCommands]
