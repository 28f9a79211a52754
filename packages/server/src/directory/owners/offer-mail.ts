import { offerDays } from '@gatehouse/contract/directory/controllers'
import { isLanguage } from '@gatehouse/contract/language'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Post } from '../../platform/mailer/post.ts'
import type { Purgeable } from '../../platform/purge.ts'
import { type Secrets, sha256 } from '../../platform/secrets.ts'
import { fullName } from '../../users/user.ts'
import { deleteExpiredOffers, offerReader, readOffer } from './offer-store.ts'

const purpose = 'account-offer'

/**
 * Mails an offer to its recipient. The payload only has the id; the code is derived from it and the master
 * secret.
 */
export const offerMailJob = defineJob('account-offer:mail', z.object({ id: z.uuid() }), 8)

/** The code in the link of an offer. */
export function offerCode(secrets: Secrets, id: string): string {
  return secrets.longCode(purpose, id)
}

/** Returns the hash of a code, as stored with the offer. */
export function offerHash(code: string): Buffer {
  return sha256(code)
}

export interface OfferMailParts {
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  readonly post: Post
}

/** Registers the job that mails offers. An offer that has been withdrawn, accepted or expired is not sent. */
export function handleOfferMails(jobs: Jobs, { db, clock, secrets, post }: OfferMailParts): void {
  jobs.handle(offerMailJob, async ({ id }) => {
    const offer = await readOffer(db, { id }, clock.now())
    if (offer?.userId == null) return
    const reader = await offerReader(db, offer.userId)
    await post.send('AccountOffer', {
      to: { address: offer.email },
      about: offer.userId,
      record: { tenantId: offer.tenantId, objectType: 'user', objectId: offer.ownerId },
      language: isLanguage(reader.language) ? reader.language : 'en',
      data: (site) => ({
        kind: offer.kind,
        name: fullName(reader),
        from: offer.fromEmail,
        account: offer.ownerEmail,
        heir: offer.heirEmail,
        site: site.name,
        validDays: offerDays,
        link: site.link(`/account-offer/${offerCode(secrets, id)}`),
      }),
    })
  })
}

/** Deletes expired offers. */
export class PurgeOffers implements Purgeable {
  readonly #db: Db
  readonly #clock: Clock

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async purge(): Promise<void> {
    await deleteExpiredOffers(this.#db, this.#clock.now())
  }
}
