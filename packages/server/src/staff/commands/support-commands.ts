import { loggedTypes } from '@gatehouse/contract/staff/staff-views'
import { charts } from '@gatehouse/contract/staff/stats'
import { ResetCodes } from '../../passwords/reset-code.ts'
import { atCommandLine, UsageError } from '../../platform/cli/command.ts'
import { readNumber } from '../../platform/cli/options.ts'
import { said } from '../../platform/cli/said.ts'
import { createTranslator } from '../../platform/i18n/translator.ts'
import { parseObjectId } from '../../platform/ids.ts'
import { findView } from '../../users/commands/find-user.ts'
import { readLog } from '../event-log-store.ts'
import { beginImpersonation, impersonationAnswer } from '../impersonation.ts'
import { readAddress } from '../invitations/read-addresses.ts'
import { makeChart } from '../statistics/charts.ts'
import { changeExternalEmail, sendPasswordLink } from '../user-acts.ts'
import { type StaffCommand, staffParts } from './staff-command.ts'

const t = createTranslator('en')

const userCommands: readonly StaffCommand[] = [
  {
    name: 'user:login-as',
    usage: 'user:login-as <address of the member of staff> <address of the customer> <reason>',
    summary:
      'print a one-time link, valid for a minute, that signs a member of staff in as a customer; both are recorded in the activity',
    needs: 3,
    async run(context) {
      const { args, config } = context
      const staff = await findView(context, args[0])
      const view = await findView(context, args[1])
      const reason = args.slice(2).join(' ')
      if (reason.length < 3 || reason.length > 1024)
        throw new UsageError('The reason must have 3 to 1024 characters.')
      const { id: userId, tenantId, role, email, deletedAt } = staff.user
      const person = { userId, tenantId, role }
      const answer = deletedAt === null ? impersonationAnswer(staffParts(context), person, view) : 'refused'
      if (answer !== 'allowed') {
        throw new UsageError(t(answer === 'refused' ? 'staff.colleague' : 'staff.login-as-refused'))
      }
      const by = { actor: { userId, email } }
      const { code } = await beginImpersonation(staffParts(context), person, view, reason, by)
      const url = `${config.APP_URL}/login-as#${code}`
      context.answer.record({ url }, [url])
    },
  },
  {
    name: 'user:external-email',
    usage: 'user:external-email <address> <external address | none>',
    summary: 'set or remove the external e-mail address of a user',
    needs: 2,
    async run(context) {
      const { args, print } = context
      const view = await findLiving(context, args[0])
      const external = args[1] === 'none' ? null : readAddress(args[1] ?? '')
      if (external === undefined) throw new UsageError(`${args[1]} is not a valid e-mail address.`)
      const change = { address: external, isHeld: false }
      await changeExternalEmail(staffParts(context), view, change, atCommandLine).catch(said)
      print(`${view.user.email}: ${args[1]}`)
    },
  },
  {
    name: 'user:password-link',
    usage: 'user:password-link <address> <reason>',
    summary: 'send a user a password link, only to the external address',
    needs: 2,
    async run(context) {
      const { args, config, db, clock, print, secrets } = context
      const view = await findLiving(context, args[0])
      const codes = new ResetCodes(db, clock, secrets, config.VERIFICATION_CODE_EXPIRY)
      const by = { actor: {}, comment: args.slice(1).join(' ') }
      await sendPasswordLink({ ...staffParts(context), codes }, view, by).catch(said)
      print(`A password link was sent to the external address of ${view.user.email}.`)
    },
  },
  {
    name: 'event:list',
    usage: `event:list <${loggedTypes.join(' | ')}> <number or address of a user>`,
    summary: 'show the activity of an object, newest first',
    needs: 2,
    async run(context) {
      const { args, db, answer } = context
      const type = loggedTypes.find((one) => one === args[0])
      if (type === undefined) throw new UsageError(`${args[0]} is not one of ${loggedTypes.join(', ')}.`)
      const isNumber = parseObjectId(args[1] ?? '')
      const id = isNumber ?? (type === 'user' ? (await findView(context, args[1])).user.id : undefined)
      if (id === undefined) throw new UsageError(`${args[1]} is not a number.`)
      const { list } = await readLog(db, { type, id }, { page: 1, size: 100 }, t)
      const row = answer.list()
      for (const { createdAt, kind, user, onBehalf, comment } of list) {
        const who = onBehalf === null ? (user ?? '-') : `${onBehalf} as ${user}`
        const line = `${createdAt}  ${kind}  ${who}  ${comment ?? ''}`.trim()
        row({ createdAt, kind, user, onBehalf, comment }, line)
      }
    },
  },
]

const numberCommands: readonly StaffCommand[] = [
  {
    name: 'stats:chart',
    usage: `stats:chart <${charts.join(' | ')}> [number of a tenant]`,
    summary: 'print the numbers of a cockpit chart, for all tenants or for one',
    needs: 1,
    async run({ args, config, db, clock, answer }) {
      const name = charts.find((one) => one === args[0])
      if (name === undefined) throw new UsageError(`${args[0]} is not one of ${charts.join(', ')}.`)
      const request = { db, clock, scope: readNumber(args[1]), currency: config.APP_CURRENCY }
      const { title, data } = await makeChart[name]({ ...request, t, language: 'en' })
      const names = data.datasets.flatMap((set) => set.name ?? [])
      const numbersOf = (index: number) => data.datasets.map(({ values }) => values[index] ?? 0).join('  ')
      answer.record({ title, ...data }, [
        title,
        ...(names.length > 0 ? [`  ${names.join('  ')}`] : []),
        ...data.labels.map((label, index) => `${label}  ${numbersOf(index)}`),
      ])
    },
  },
]

/** Support actions of the cockpit for operators with a shell. */
export const supportCommands: readonly StaffCommand[] = [...userCommands, ...numberCommands]

async function findLiving(context: Parameters<typeof findView>[0], text: string | undefined) {
  const view = await findView(context, text)
  if (view.user.deletedAt !== null) throw new UsageError(`There is no user ${text}.`)
  return view
}
