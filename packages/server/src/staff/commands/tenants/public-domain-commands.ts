import { atCommandLine, UsageError } from '../../../platform/cli/command.ts'
import { said } from '../../../platform/cli/said.ts'
import { DnsClient } from '../../../platform/dns/dns-client.ts'
import { NotFound, ValidationError } from '../../../platform/http/errors.ts'
import { ofTenant } from '../../../tenants/tenant-option.ts'
import { readTenant } from '../../../tenants/tenant-store.ts'
import { normaliseDomain } from '../../../users/addresses/domain-name.ts'
import { readPublicDomains } from '../../tenant-offer/public-domain-store.ts'
import {
  changeOpen,
  checkDomain,
  createPublicDomain,
  giveUpDomain,
  openDomain,
} from '../../tenant-offer/public-domains.ts'
import type { StaffCommand, StaffContext } from '../staff-command.ts'

/** Returns the domain of a command with its tenant. Throws UsageError. */
async function readDomain(context: StaffContext) {
  const { words, tenantId } = await ofTenant(context)
  const [text = '', ...reason] = words
  const namespace = normaliseDomain(text)
  if (namespace === undefined) throw new UsageError(`${text} is not a valid domain name.`)
  return { namespace, tenantId, reason: reason.join(' ') || atCommandLine.comment }
}

const absent =
  (namespace: string, kind: 'domain' | 'unconfirmed domain') =>
  (error: unknown): never => {
    if (error instanceof NotFound) throw new UsageError(`There is no ${kind} ${namespace} of this tenant.`)
    return said(error)
  }

const openCommand = (verb: 'open' | 'close', summary: string): StaffCommand => ({
  name: `public-domain:${verb}`,
  usage: `public-domain:${verb} <name> [reason] [--tenant=<number>]`,
  summary,
  needs: 1,
  async run(context) {
    const { namespace, tenantId, reason } = await readDomain(context)
    const domain = { namespace, isOpen: verb === 'open' }
    await changeOpen(context, tenantId, domain, { actor: {}, reason }).catch(absent(namespace, 'domain'))
    context.print(`${namespace} is ${verb === 'open' ? 'open' : 'closed'} for sign-up.`)
  },
})

/** Domains available for sign-up with the service or a tenant. */
export const publicDomainCommands: readonly StaffCommand[] = [
  {
    name: 'domain:create-public',
    usage: 'domain:create-public <name> [--tenant=<number>]',
    summary: 'create a public domain in which people can sign up, with the service or with a tenant',
    needs: 1,
    async run(context) {
      const { db, clock, print } = context
      const { words, tenantId } = await ofTenant(context)
      const namespace = normaliseDomain(words[0] ?? '')
      if (namespace === undefined) throw new UsageError(`${words[0]} is not a valid domain name.`)
      await db
        .transaction()
        .execute((trx) => createPublicDomain(trx, { clock }, tenantId, namespace))
        .catch((error: unknown) => {
          if (error instanceof ValidationError) throw new UsageError(`${namespace} already exists.`)
          throw error
        })
      print(`${namespace} is open for sign-up.`)
    },
  },
  {
    name: 'public-domain:list',
    usage: 'public-domain:list [--tenant=<number>]',
    summary: 'list public domains, including those not verified yet',
    needs: 0,
    async run(context) {
      const { tenantId } = await ofTenant(context)
      const row = context.answer.list()
      for (const { namespace, state, failure } of await readPublicDomains(context.db, tenantId)) {
        const line = `${namespace}  ${state}${failure === null ? '' : ` (${failure})`}`
        row({ namespace, state, failure }, line)
      }
    },
  },
  {
    name: 'public-domain:check',
    usage: 'public-domain:check <name> [reason] [--tenant=<number>]',
    summary: 'look up the DNS record that verifies a public domain, and open it for sign-up',
    needs: 1,
    async run(context) {
      const { db, clock, config, answer } = context
      const { namespace, tenantId, reason } = await readDomain(context)
      const tenant = await readTenant(db, tenantId)
      if (tenant === undefined) throw new UsageError(`There is no tenant ${tenantId}.`)
      const dns = new DnsClient({ servers: config.DNS_SERVERS, timeout: config.DNS_TIMEOUT })
      const by = { actor: {}, reason }
      const proof = await checkDomain({ db, clock, config, dns }, tenant, namespace, by).catch(
        absent(namespace, 'domain'),
      )
      answer.record({ namespace, state: proof }, [`${namespace}  ${proof}`])
    },
  },
  {
    name: 'public-domain:confirm',
    usage: 'public-domain:confirm <name> [reason] [--tenant=<number>]',
    summary: 'confirm a public domain without a DNS record, and open it for sign-up',
    needs: 1,
    async run(context) {
      const { namespace, tenantId, reason } = await readDomain(context)
      await openDomain(context, tenantId, namespace, { actor: {}, reason }).catch(
        absent(namespace, 'unconfirmed domain'),
      )
      context.print(`${namespace} is open for sign-up.`)
    },
  },
  openCommand('close', 'stop sign-up in a public domain; users keep their addresses'),
  openCommand('open', 'reopen a closed public domain for sign-up'),
  {
    name: 'public-domain:delete',
    usage: 'public-domain:delete <name> [reason] [--tenant=<number>]',
    summary: 'delete a public domain that is not confirmed yet',
    needs: 1,
    async run(context) {
      const { namespace, tenantId, reason } = await readDomain(context)
      await giveUpDomain(context, tenantId, namespace, { actor: {}, reason }).catch(
        absent(namespace, 'unconfirmed domain'),
      )
      context.print(`${namespace} was deleted.`)
    },
  },
]
