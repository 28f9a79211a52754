import type { Language } from '@gatehouse/contract/language'
import accessDe from './messages/access.de.json'
import accessEn from './messages/access.en.json'
import accessFr from './messages/access.fr.json'
import accessIt from './messages/access.it.json'
import apiKeysDe from './messages/api-keys.de.json'
import apiKeysEn from './messages/api-keys.en.json'
import apiKeysFr from './messages/api-keys.fr.json'
import apiKeysIt from './messages/api-keys.it.json'
import appDe from './messages/app.de.json'
import appEn from './messages/app.en.json'
import appFr from './messages/app.fr.json'
import appIt from './messages/app.it.json'
import authDe from './messages/auth.de.json'
import authEn from './messages/auth.en.json'
import authFr from './messages/auth.fr.json'
import authIt from './messages/auth.it.json'
import bulkDe from './messages/bulk.de.json'
import bulkEn from './messages/bulk.en.json'
import bulkFr from './messages/bulk.fr.json'
import bulkIt from './messages/bulk.it.json'
import companionsDe from './messages/companions.de.json'
import companionsEn from './messages/companions.en.json'
import companionsFr from './messages/companions.fr.json'
import companionsIt from './messages/companions.it.json'
import deletedMailDe from './messages/deleted-mail.de.json'
import deletedMailEn from './messages/deleted-mail.en.json'
import deletedMailFr from './messages/deleted-mail.fr.json'
import deletedMailIt from './messages/deleted-mail.it.json'
import desiredStateDe from './messages/desired-state.de.json'
import desiredStateEn from './messages/desired-state.en.json'
import desiredStateFr from './messages/desired-state.fr.json'
import desiredStateIt from './messages/desired-state.it.json'
import directoryDe from './messages/directory.de.json'
import directoryEn from './messages/directory.en.json'
import directoryFr from './messages/directory.fr.json'
import directoryIt from './messages/directory.it.json'
import domainsDe from './messages/domains.de.json'
import domainsEn from './messages/domains.en.json'
import domainsFr from './messages/domains.fr.json'
import domainsIt from './messages/domains.it.json'
import exportsDe from './messages/exports.de.json'
import exportsEn from './messages/exports.en.json'
import exportsFr from './messages/exports.fr.json'
import exportsIt from './messages/exports.it.json'
import factorsDe from './messages/factors.de.json'
import factorsEn from './messages/factors.en.json'
import factorsFr from './messages/factors.fr.json'
import factorsIt from './messages/factors.it.json'
import filesDe from './messages/files.de.json'
import filesEn from './messages/files.en.json'
import filesFr from './messages/files.fr.json'
import filesIt from './messages/files.it.json'
import httpDe from './messages/http.de.json'
import httpEn from './messages/http.en.json'
import httpFr from './messages/http.fr.json'
import httpIt from './messages/http.it.json'
import invitationsDe from './messages/invitations.de.json'
import invitationsEn from './messages/invitations.en.json'
import invitationsFr from './messages/invitations.fr.json'
import invitationsIt from './messages/invitations.it.json'
import mailDe from './messages/mail.de.json'
import mailEn from './messages/mail.en.json'
import mailFr from './messages/mail.fr.json'
import mailIt from './messages/mail.it.json'
import mailFiltersDe from './messages/mail-filters.de.json'
import mailFiltersEn from './messages/mail-filters.en.json'
import mailFiltersFr from './messages/mail-filters.fr.json'
import mailFiltersIt from './messages/mail-filters.it.json'
import mailImportsDe from './messages/mail-imports.de.json'
import mailImportsEn from './messages/mail-imports.en.json'
import mailImportsFr from './messages/mail-imports.fr.json'
import mailImportsIt from './messages/mail-imports.it.json'
import mailflowDe from './messages/mailflow.de.json'
import mailflowEn from './messages/mailflow.en.json'
import mailflowFr from './messages/mailflow.fr.json'
import mailflowIt from './messages/mailflow.it.json'
import mandateDe from './messages/mandate.de.json'
import mandateEn from './messages/mandate.en.json'
import mandateFr from './messages/mandate.fr.json'
import mandateIt from './messages/mandate.it.json'
import oauthDe from './messages/oauth.de.json'
import oauthEn from './messages/oauth.en.json'
import oauthFr from './messages/oauth.fr.json'
import oauthIt from './messages/oauth.it.json'
import operationsDe from './messages/operations.de.json'
import operationsEn from './messages/operations.en.json'
import operationsFr from './messages/operations.fr.json'
import operationsIt from './messages/operations.it.json'
import ownersDe from './messages/owners.de.json'
import ownersEn from './messages/owners.en.json'
import ownersFr from './messages/owners.fr.json'
import ownersIt from './messages/owners.it.json'
import paymentDe from './messages/payment.de.json'
import paymentEn from './messages/payment.en.json'
import paymentFr from './messages/payment.fr.json'
import paymentIt from './messages/payment.it.json'
import planDe from './messages/plan.de.json'
import planEn from './messages/plan.en.json'
import planFr from './messages/plan.fr.json'
import planIt from './messages/plan.it.json'
import policiesDe from './messages/policies.de.json'
import policiesEn from './messages/policies.en.json'
import policiesFr from './messages/policies.fr.json'
import policiesIt from './messages/policies.it.json'
import priceChangesDe from './messages/price-changes.de.json'
import priceChangesEn from './messages/price-changes.en.json'
import priceChangesFr from './messages/price-changes.fr.json'
import priceChangesIt from './messages/price-changes.it.json'
import processDe from './messages/process.de.json'
import processEn from './messages/process.en.json'
import processFr from './messages/process.fr.json'
import processIt from './messages/process.it.json'
import receiptDe from './messages/receipt.de.json'
import receiptEn from './messages/receipt.en.json'
import receiptFr from './messages/receipt.fr.json'
import receiptIt from './messages/receipt.it.json'
import roomsDe from './messages/rooms.de.json'
import roomsEn from './messages/rooms.en.json'
import roomsFr from './messages/rooms.fr.json'
import roomsIt from './messages/rooms.it.json'
import sandboxDe from './messages/sandbox.de.json'
import sandboxEn from './messages/sandbox.en.json'
import sandboxFr from './messages/sandbox.fr.json'
import sandboxIt from './messages/sandbox.it.json'
import scimDe from './messages/scim.de.json'
import scimEn from './messages/scim.en.json'
import scimFr from './messages/scim.fr.json'
import scimIt from './messages/scim.it.json'
import sendingDe from './messages/sending.de.json'
import sendingEn from './messages/sending.en.json'
import sendingFr from './messages/sending.fr.json'
import sendingIt from './messages/sending.it.json'
import signupDe from './messages/signup.de.json'
import signupEn from './messages/signup.en.json'
import signupFr from './messages/signup.fr.json'
import signupIt from './messages/signup.it.json'
import staffDe from './messages/staff.de.json'
import staffEn from './messages/staff.en.json'
import staffFr from './messages/staff.fr.json'
import staffIt from './messages/staff.it.json'
import statsDe from './messages/stats.de.json'
import statsEn from './messages/stats.en.json'
import statsFr from './messages/stats.fr.json'
import statsIt from './messages/stats.it.json'
import subscriptionsDe from './messages/subscriptions.de.json'
import subscriptionsEn from './messages/subscriptions.en.json'
import subscriptionsFr from './messages/subscriptions.fr.json'
import subscriptionsIt from './messages/subscriptions.it.json'
import tenantOfferDe from './messages/tenant-offer.de.json'
import tenantOfferEn from './messages/tenant-offer.en.json'
import tenantOfferFr from './messages/tenant-offer.fr.json'
import tenantOfferIt from './messages/tenant-offer.it.json'
import tenantsDe from './messages/tenants.de.json'
import tenantsEn from './messages/tenants.en.json'
import tenantsFr from './messages/tenants.fr.json'
import tenantsIt from './messages/tenants.it.json'
import usersDe from './messages/users.de.json'
import usersEn from './messages/users.en.json'
import usersFr from './messages/users.fr.json'
import usersIt from './messages/users.it.json'
import validationDe from './messages/validation.de.json'
import validationEn from './messages/validation.en.json'
import validationFr from './messages/validation.fr.json'
import validationIt from './messages/validation.it.json'
import walletDe from './messages/wallet.de.json'
import walletEn from './messages/wallet.en.json'
import walletFr from './messages/wallet.fr.json'
import walletIt from './messages/wallet.it.json'
import webhooksDe from './messages/webhooks.de.json'
import webhooksEn from './messages/webhooks.en.json'
import webhooksFr from './messages/webhooks.fr.json'
import webhooksIt from './messages/webhooks.it.json'

/** Texts of one language in ICU MessageFormat, by key. */
export type Catalogue = Readonly<Record<string, string>>

const english = {
  ...accessEn,
  ...apiKeysEn,
  ...webhooksEn,
  ...exportsEn,
  ...webhooksEn,
  ...appEn,
  ...authEn,
  ...bulkEn,
  ...companionsEn,
  ...desiredStateEn,
  ...directoryEn,
  ...domainsEn,
  ...factorsEn,
  ...filesEn,
  ...httpEn,
  ...invitationsEn,
  ...mailEn,
  ...mandateEn,
  ...oauthEn,
  ...operationsEn,
  ...ownersEn,
  ...paymentEn,
  ...planEn,
  ...policiesEn,
  ...priceChangesEn,
  ...processEn,
  ...receiptEn,
  ...roomsEn,
  ...sandboxEn,
  ...deletedMailEn,
  ...mailFiltersEn,
  ...mailImportsEn,
  ...mailflowEn,
  ...scimEn,
  ...sendingEn,
  ...signupEn,
  ...staffEn,
  ...statsEn,
  ...subscriptionsEn,
  ...tenantOfferEn,
  ...tenantsEn,
  ...usersEn,
  ...validationEn,
  ...walletEn,
}

/** Keys of the server's texts. The English files define them; tests compare the other languages. */
export type MessageKey = keyof typeof english

/** The server's texts by language. All areas are merged, because keys are unique across areas. */
export const catalogues: Readonly<Record<Language, Catalogue>> = {
  en: english,
  de: {
    ...accessDe,
    ...apiKeysDe,
    ...webhooksDe,
    ...exportsDe,
    ...appDe,
    ...authDe,
    ...bulkDe,
    ...companionsDe,
    ...desiredStateDe,
    ...directoryDe,
    ...domainsDe,
    ...factorsDe,
    ...filesDe,
    ...httpDe,
    ...invitationsDe,
    ...mailDe,
    ...mandateDe,
    ...oauthDe,
    ...operationsDe,
    ...ownersDe,
    ...paymentDe,
    ...planDe,
    ...policiesDe,
    ...priceChangesDe,
    ...processDe,
    ...receiptDe,
    ...roomsDe,
    ...sandboxDe,
    ...deletedMailDe,
    ...mailFiltersDe,
    ...mailImportsDe,
    ...mailflowDe,
    ...scimDe,
    ...sendingDe,
    ...signupDe,
    ...staffDe,
    ...statsDe,
    ...subscriptionsDe,
    ...tenantOfferDe,
    ...tenantsDe,
    ...usersDe,
    ...validationDe,
    ...walletDe,
  },
  fr: {
    ...accessFr,
    ...apiKeysFr,
    ...webhooksFr,
    ...exportsFr,
    ...appFr,
    ...authFr,
    ...bulkFr,
    ...companionsFr,
    ...desiredStateFr,
    ...directoryFr,
    ...domainsFr,
    ...factorsFr,
    ...filesFr,
    ...httpFr,
    ...invitationsFr,
    ...mailFr,
    ...mandateFr,
    ...oauthFr,
    ...operationsFr,
    ...ownersFr,
    ...paymentFr,
    ...planFr,
    ...policiesFr,
    ...priceChangesFr,
    ...processFr,
    ...receiptFr,
    ...roomsFr,
    ...sandboxFr,
    ...deletedMailFr,
    ...mailFiltersFr,
    ...mailImportsFr,
    ...mailflowFr,
    ...scimFr,
    ...sendingFr,
    ...signupFr,
    ...staffFr,
    ...statsFr,
    ...subscriptionsFr,
    ...tenantOfferFr,
    ...tenantsFr,
    ...usersFr,
    ...validationFr,
    ...walletFr,
  },
  it: {
    ...accessIt,
    ...apiKeysIt,
    ...webhooksIt,
    ...exportsIt,
    ...appIt,
    ...authIt,
    ...bulkIt,
    ...companionsIt,
    ...desiredStateIt,
    ...directoryIt,
    ...domainsIt,
    ...factorsIt,
    ...filesIt,
    ...httpIt,
    ...invitationsIt,
    ...mailIt,
    ...mandateIt,
    ...oauthIt,
    ...operationsIt,
    ...ownersIt,
    ...paymentIt,
    ...planIt,
    ...policiesIt,
    ...priceChangesIt,
    ...processIt,
    ...receiptIt,
    ...roomsIt,
    ...sandboxIt,
    ...deletedMailIt,
    ...mailFiltersIt,
    ...mailImportsIt,
    ...mailflowIt,
    ...scimIt,
    ...sendingIt,
    ...signupIt,
    ...staffIt,
    ...statsIt,
    ...subscriptionsIt,
    ...tenantOfferIt,
    ...tenantsIt,
    ...usersIt,
    ...validationIt,
    ...walletIt,
  },
}

/** Returns whether a text is a message key, for keys composed at run time (`process-<step>`). */
export function isMessageKey(value: string): value is MessageKey {
  return Object.hasOwn(english, value)
}
