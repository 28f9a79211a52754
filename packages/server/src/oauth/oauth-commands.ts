import { clientGrants, clientScopes } from '@gatehouse/contract/sessions/oauth'
import { type Command, type CommandContext, UsageError } from '../platform/cli/command.ts'
import { readArguments } from '../platform/cli/options.ts'
import { HttpError } from '../platform/http/errors.ts'
import { createTranslator } from '../platform/i18n/translator.ts'
import { isUuid } from '../platform/ids.ts'
import { type ClientFacts, type ClientRow, clientProblems } from './clients/client.ts'
import { listClients, readClient } from './clients/client-store.ts'
import {
  type ClientChange,
  changeClient,
  createClient,
  removeClient,
  renewSecret,
} from './clients/manage-clients.ts'
import { SigningKeys } from './tokens/signing-keys.ts'

const optionNames = ['redirect', 'after-logout', 'scopes', 'grants', 'alg', 'name', 'pkce'] as const
const optionUsage =
  '[--redirect=<uri,…>] [--after-logout=<uri,…>] [--scopes=<scope,…>] [--grants=<grant,…>] [--alg=<RS256|ES256>] [--pkce=<yes|no>]'

/** Commands for OAuth applications and the keys that sign ID tokens. */
export const oauthCommands: readonly Command[] = [
  {
    name: 'oauth-client:create',
    usage: `oauth-client:create <name> ${optionUsage} [--public=yes]`,
    summary: 'register an application; prints its id and, only once, its secret',
    needs: 1,
    async run(context) {
      const { words, options } = readArguments(context.args, [...optionNames, 'public'])
      const [name = ''] = words
      const given = readFacts({ ...options, name })
      const facts: ClientFacts = {
        name,
        redirect_uris: given.redirect_uris ?? [],
        post_logout_redirect_uris: given.post_logout_redirect_uris ?? [],
        scopes: given.scopes ?? ['openid', 'email', 'profile'],
        grants: given.grants ?? ['authorization_code', 'refresh_token'],
        id_token_alg: given.id_token_alg ?? 'RS256',
        require_pkce: given.require_pkce ?? true,
      }
      checkFacts(facts)
      const confidential = options.public === undefined
      const { id, secret } = await createClient(context, { ...facts, confidential }, {})
      const lines = [`client id  ${id}`, secret === null ? 'no secret: PKCE' : `secret     ${secret}`]
      context.answer.record({ id, secret }, lines)
    },
  },
  {
    name: 'oauth-client:list',
    usage: 'oauth-client:list',
    summary: 'list applications with their scopes and redirect addresses',
    needs: 0,
    async run({ db, answer }) {
      const write = answer.list()
      for (const row of await listClients(db, undefined, { limit: 10_000, offset: 0 })) {
        const kind = row.secretHash === null ? 'public' : 'confidential'
        const state = row.disabledAt === null ? '' : '  disabled'
        const pkce = row.requirePkce ? '' : '  without PKCE'
        const { id, name, scopes, grants, redirectUris, requirePkce } = row
        write(
          { id, name, kind, scopes, grants, redirectUris, requirePkce, disabledAt: row.disabledAt },
          `${row.id}  ${row.name}  ${kind}${pkce}  ${row.scopes.join(',')}  ${row.redirectUris.join(' ')}${state}`,
        )
      }
    },
  },
  {
    name: 'oauth-client:update',
    usage: `oauth-client:update <id> [--name=<name>] ${optionUsage} [--disabled=<yes|no>]`,
    summary: 'change an application; properties that are not given stay the same',
    needs: 1,
    async run(context) {
      const { words, options } = readArguments(context.args, [...optionNames, 'disabled'])
      const client = await findClient(context, words[0])
      const { disabled } = options
      if (disabled !== undefined && disabled !== 'yes' && disabled !== 'no') {
        throw new UsageError('--disabled must be yes or no.')
      }
      const facts = readFacts(options)
      checkFacts({ ...knownFacts(client), ...facts })
      const change: ClientChange = { ...facts, ...(disabled && { disabled: disabled === 'yes' }) }
      const { name } = await changeClient(context, client.id, change, {})
      context.print(`${name} was changed.`)
    },
  },
  {
    name: 'oauth-client:secret',
    usage: 'oauth-client:secret <id>',
    summary: 'create a new secret for an application and print it; the old one stops working immediately',
    needs: 1,
    async run(context) {
      const { id } = await findClient(context, context.args[0])
      const { secret } = await expected(renewSecret(context, id, {}))
      context.answer.record({ id, secret }, [`secret  ${secret}`])
    },
  },
  {
    name: 'oauth-client:delete',
    usage: 'oauth-client:delete <id>',
    summary: 'delete an application with all its consents and tokens',
    needs: 1,
    async run(context) {
      const { id } = await findClient(context, context.args[0])
      const { name } = await expected(removeClient(context, id, {}))
      context.print(`${name} was deleted.`)
    },
  },
  {
    name: 'oauth:rotate-keys',
    usage: 'oauth:rotate-keys [--leaked=yes]',
    summary:
      'sign ID tokens with new keys from tomorrow; the old keys stay published for 30 days. With --leaked=yes, use new keys immediately and withdraw the old ones',
    needs: 0,
    async run(context) {
      const { leaked } = readArguments(context.args, ['leaked']).options
      if (leaked !== undefined && leaked !== 'yes') throw new UsageError('--leaked must be yes or omitted.')
      const { db, clock, secrets } = context
      const keys = new SigningKeys(db, clock, secrets)
      const made = leaked === undefined ? await keys.rotate() : await keys.withdraw()
      if (made.length === 0) context.print('New keys are already published and will be used within a day.')
      else context.print(`New keys: ${made.join(', ')}`)
    },
  },
]

type Options = Partial<Record<(typeof optionNames)[number], string>>

function readFacts(options: Options): Partial<ClientFacts> {
  const { name, redirect, scopes, grants, alg, pkce } = options
  const after = options['after-logout']
  if (alg !== undefined && alg !== 'RS256' && alg !== 'ES256')
    throw new UsageError('--alg must be RS256 or ES256.')
  if (pkce !== undefined && pkce !== 'yes' && pkce !== 'no') throw new UsageError('--pkce must be yes or no.')
  return {
    ...(name !== undefined && { name: name.slice(0, 100) }),
    ...(redirect !== undefined && { redirect_uris: list(redirect) }),
    ...(after !== undefined && { post_logout_redirect_uris: list(after) }),
    ...(scopes !== undefined && { scopes: chosen(list(scopes), clientScopes) }),
    ...(grants !== undefined && { grants: chosen(list(grants), clientGrants) }),
    ...(alg !== undefined && { id_token_alg: alg }),
    ...(pkce !== undefined && { require_pkce: pkce === 'yes' }),
  }
}

function knownFacts(row: ClientRow): Pick<ClientFacts, 'redirect_uris' | 'grants'> {
  const grants = clientGrants.filter((grant) => row.grants.includes(grant))
  return { redirect_uris: row.redirectUris, grants }
}

function checkFacts(facts: Partial<ClientFacts>): void {
  const [problem] = Object.keys(clientProblems(facts))
  if (problem === undefined) return
  throw new UsageError(
    `${problem}: addresses must begin with https://, or with http:// for loopback addresses. authorization_code needs at least one.`,
  )
}

function list(text: string): string[] {
  return text.split(',').filter((part) => part !== '')
}

function chosen<T extends string>(words: readonly string[], known: readonly T[]): T[] {
  const strange = words.find((word) => !known.some((one) => one === word))
  if (strange !== undefined) throw new UsageError(`${strange} is not one of ${known.join(', ')}.`)
  return known.filter((one) => words.includes(one))
}

async function findClient({ db }: CommandContext, id = ''): Promise<ClientRow> {
  const row = isUuid(id) ? await readClient(db, id) : undefined
  if (row === undefined) throw new UsageError(`There is no application ${id}.`)
  return row
}

/** Rethrows validation errors as text for the operator. */
async function expected<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof HttpError)) throw error
    throw new UsageError(createTranslator('en')(error.text.key, error.text.params))
  })
}
