import { createReadStream } from 'node:fs'
import { isLanguage, type Language } from '@gatehouse/contract/language'
import { audit } from '../../../platform/audit.ts'
import { UsageError } from '../../../platform/cli/command.ts'
import { dayOf } from '../../../platform/cli/options.ts'
import { said } from '../../../platform/cli/said.ts'
import { type Db, isUniqueViolation } from '../../../platform/db/database.ts'
import { isUuid } from '../../../platform/ids.ts'
import { insertInvitation, invitationStatus } from '../../../signup/grants/invitation-store.ts'
import { ofTenant } from '../../../tenants/tenant-option.ts'
import { parseEmailAddress } from '../../../users/addresses/email-address.ts'
import { deleteInvitation } from '../../invitations/invitation-store.ts'
import { enqueueMail, InvitationUsed, invite, resendInvitation } from '../../invitations/invite.ts'
import { inviteesOf, readAddresses } from '../../invitations/read-addresses.ts'
import { type StaffCommand, staffParts } from '../staff-command.ts'
import { invitationOf, invitationsOf } from './invitation-store.ts'

/** Invitations to sign up, from the service or a tenant. */
export const invitationCommands: readonly StaffCommand[] = [
  {
    name: 'invitation:create',
    usage: 'invitation:create <address> [--mail=<language>] [--tenant=<number>]',
    summary: 'create a link to sign up for any plan; prints it, and also mails it if a language is given',
    needs: 1,
    async run(context) {
      const { config, db, clock, answer } = context
      const { words, tenantId, options } = await ofTenant(context, ['mail'])
      const email = parseEmailAddress(words[0] ?? '')
      if (email === undefined) throw new UsageError(`${words[0]} is not a valid e-mail address.`)
      const language = readLanguage(options.mail, config.locales)
      const id = await db
        .transaction()
        .execute(async (trx) => {
          const made = await insertInvitation(trx, clock, tenantId, email)
          // the server sends it and marks the invitation as sent or failed
          if (language !== undefined) await enqueueMail(staffParts(context).jobs, trx, made, language)
          return made
        })
        .catch((error: unknown) => {
          if (!isUniqueViolation(error, 'signup_invitations_open')) throw error
          throw new UsageError(`${email.full} is already invited.`)
        })
      const url = `${config.APP_URL}/signup/invite/${id}`
      answer.record({ id, email: email.full, url }, [url])
    },
  },
  {
    name: 'invitation:import',
    usage: 'invitation:import <file> [--tenant=<number>]',
    summary:
      'invite the addresses in a file by mail (address, first name, last name) and print the result for each',
    needs: 1,
    async run(context) {
      const { config, answer } = context
      const { words, tenantId } = await ofTenant(context)
      const file = createReadStream(words[0] ?? '')
      const rows = await readAddresses({ file, announcedBytes: undefined }).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error) throw new UsageError(`${words[0]} cannot be read.`)
        return said(error)
      })
      const inviter = { tenantId, language: config.APP_LOCALE }
      const found = await invite(staffParts(context), inviter, inviteesOf(rows))
      const write = answer.list()
      for (const { row, text, email } of rows) {
        const outcome = email === undefined ? 'invalid' : found.get(email)?.outcome
        write({ row, email: email ?? text, outcome }, `${row}  ${email ?? text}  ${outcome}`)
      }
    },
  },
  {
    name: 'invitation:list',
    usage: 'invitation:list [--tenant=<number>]',
    summary: 'list invitations with state and expiry date, newest first',
    needs: 0,
    async run(context) {
      const { db, clock, answer } = context
      const { tenantId } = await ofTenant(context)
      const write = answer.list()
      const rows = await invitationsOf(db, tenantId)
      for (const { id, email, status, expiresAt: end } of rows) {
        const state = Object.entries(invitationStatus).find(([, bit]) => bit === status)?.[0]
        const isOver = status !== invitationStatus.completed && end <= clock.now()
        const shown = isOver ? 'expired' : state
        write({ id, email, state: shown, expiresAt: end }, `${id}  ${email}  ${shown}  ${dayOf(end)}`)
      }
    },
  },
  {
    name: 'invitation:resend',
    usage: 'invitation:resend <id>',
    summary: 'send an invitation again that was sent, failed or expired',
    needs: 1,
    async run(context) {
      const { args, config, db, print } = context
      const { id, email, tenantId } = await findInvitation(db, args[0])
      const inviter = { tenantId, language: config.APP_LOCALE }
      await resendInvitation(staffParts(context), inviter, id).catch((error: unknown) => {
        if (error instanceof InvitationUsed) throw new UsageError(`${email} has already signed up.`)
        throw error
      })
      print(`The invitation to ${email} was sent again.`)
    },
  },
  {
    name: 'invitation:delete',
    usage: 'invitation:delete <id>',
    summary: 'delete an invitation; its link stops working',
    needs: 1,
    async run({ args, db, clock, print }) {
      const { id, email, tenantId } = await findInvitation(db, args[0])
      await db.transaction().execute(async (trx) => {
        await deleteInvitation(trx, id)
        const about = { tenantId, objectType: 'tenant', objectId: tenantId, actor: {} }
        await audit(trx, clock, { ...about, event: 'invitation.deleted', data: { email } })
      })
      print(`The invitation of ${email} was deleted.`)
    },
  },
]

/** Returns the language of an e-mail; undefined for none. Throws UsageError for one that isn't offered. */
function readLanguage(text: string | undefined, offered: readonly Language[]): Language | undefined {
  if (text === undefined) return undefined
  if (!isLanguage(text) || !offered.includes(text)) {
    throw new UsageError(`${text} is not one of the languages ${offered.join(', ')}.`)
  }
  return text
}

async function findInvitation(db: Db, id: string | undefined) {
  const row = id !== undefined && isUuid(id) ? await invitationOf(db, id) : undefined
  if (row === undefined) throw new UsageError(`There is no invitation ${id}.`)
  return row
}
