import { readFileSync } from 'node:fs'
import type { SetupServer } from '@gatehouse/contract/mail/device-setup'
import { toString as draw } from 'qrcode'
import type { Api } from '../../platform/http/api.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { fillIn, type MailServer } from '../../platform/mailer/mail-servers.ts'
import { root } from '../address-book/carddav/resources.ts'
import { type SetupConfig, setupForAddress } from './account-setup.ts'
import { appleProfile } from './apple-profile.ts'
import type { DiscoveryParts } from './routes.ts'
import { readSigner, type Signer, signedData } from './signed-data.ts'

const profilePath = '/mail/apple.mobileconfig'

/** Serves what a person needs to set up phones and mail programs. */
export function serveDeviceSetup(api: Api, { db, config, fastify }: DiscoveryParts): void {
  const signer = signerOf(config)

  api.serve('GET /api/v4/device-setup', async ({ principal }) => {
    const setup = await setupForAddress(db, config, principal.email)
    if (setup === undefined) throw new NotFound()
    const { username, imap, pop3, smtp, activeSync } = setup
    const profile = `${config.APP_URL}${profilePath}?emailaddress=${encodeURIComponent(username)}`
    return {
      ...{ username, imap: serverOf(imap), smtp: serverOf(smtp) },
      pop3: pop3 === undefined ? null : serverOf(pop3),
      dav: davUrl(config, setup.domain)?.href ?? null,
      addressBook: config.APP_WITH_USER_SEARCH ? `${config.APP_URL}${root}` : null,
      activeSync: activeSync ?? null,
      profile: await linkTo(profile),
      isProfileSigned: signer !== undefined,
      page: await linkTo(`${config.APP_URL}/devices`),
    }
  })

  // public like other discovery: a phone opens it before it is signed in, and it only names servers
  fastify.get<{ Querystring: Readonly<Record<string, unknown>> }>(
    profilePath,
    { schema: { hide: true } },
    async (request, reply) => {
      const { emailaddress } = request.query
      const setup =
        typeof emailaddress === 'string' ? await setupForAddress(db, config, emailaddress) : undefined
      if (setup === undefined) throw new NotFound()
      const dav = davUrl(config, setup.domain)
      const profile = appleProfile({ setup, name: config.APP_NAME, host: config.domain, dav })
      return reply
        .type('application/x-apple-aspen-config; charset=utf-8')
        .header('content-disposition', 'attachment; filename="mail.mobileconfig"')
        .header('cache-control', 'no-store')
        .send(signer === undefined ? profile : signedData(Buffer.from(profile), signer))
    },
  )
}

/** Read at the start, so that a wrong file is noticed then. */
function signerOf({ APPLE_PROFILE_CERTIFICATE: file }: DiscoveryParts['config']): Signer | undefined {
  return file === undefined ? undefined : readSigner(readFileSync(file, 'utf8'))
}

function serverOf({ host, port, encryption }: MailServer): SetupServer {
  return { host, port, encryption }
}

type DavConfig = SetupConfig & Pick<DiscoveryParts['config'], 'APP_DISCOVERY_DAV'>

function davUrl({ APP_DISCOVERY_DAV: text, domain: host }: DavConfig, domain: string): URL | undefined {
  return text === undefined ? undefined : new URL(fillIn(text, { host, domain }))
}

async function linkTo(url: string): Promise<{ url: string; qrcode: string }> {
  const svg = await draw(url, { type: 'svg', margin: 1 })
  return { url, qrcode: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` }
}
