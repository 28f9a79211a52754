import type { Language } from '@gatehouse/contract/language'
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Catalogue } from './catalogues.ts'

/** Disallowed words, with the suggested wording. */
interface WordingRule {
  readonly find: RegExp
  readonly instead: string
}

/** A text that may use disallowed words. */
interface WordingException {
  readonly key: string
  readonly language: Language
  readonly words: string
  readonly reason: string
}

const rule = (find: RegExp, instead: string): WordingRule => ({ find, instead })

const everywhere: readonly WordingRule[] = [rule(/;/, 'two sentences'), rule(/\.\.\./, '…'), rule(/'/, '’')]

/** The rules of the language guide and its glossary that can be checked by single words. */
export const wordingRules: Readonly<Record<Language, readonly WordingRule[]>> = {
  en: [
    ...everywhere,
    rule(/\bwhoever\b/i, 'anyone who'),
    rule(/\b(every|some|any|no)body\b/i, 'everyone, someone, anyone, no one'),
    rule(/\banew\b/i, 'again'),
    rule(/\bby (it|them)sel(f|ves)\b/i, 'automatically'),
    rule(/\bany longer\b/i, 'no longer'),
    rule(/\bfor good\b/i, 'permanently'),
    rule(/\bconcerned\b/i, 'affected'),
    rule(/\bput(s|ting)? off\b/i, 'delay'),
    rule(/\bg(ive|ives|ave|iven|iving) up\b/i, 'cancel, discard'),
    rule(/\b(at the moment|in the meantime|meanwhile)\b/i, 'now, or nothing'),
    rule(/\bcan ?not\b/i, 'can’t'),
    rule(/\blog(s|ged|ging)? (in|out|into|on|off)\b/i, 'sign in, sign out'),
    rule(/\blog-?(in|out|on|off)s?\b/i, 'sign-in, sign-out'),
    rule(/\bsecond[- ]factors?\b|\btwo-factor\b|\b2FA\b/i, 'two-step verification'),
    rule(/\binvoices?\b/i, 'receipt'),
    rule(/\bautomatic payments?\b/i, 'auto-payment'),
    rule(/\b(out of|remaining) credit\b/i, 'balance'),
    rule(/\bownership\b|\bconfirm(s|ed|ing)? (a|the|this|your) domain\b/i, 'verify the domain'),
    rule(/\baudit\b/i, 'activity'),
    rule(/\b(session of staff|staff session)s?\b/i, 'support session'),
    rule(/\bread and write\b|\bread[- ]only\b|\bfull access\b/i, 'can view, can edit, can manage'),
    rule(/\bemails?\b/i, 'e-mail'),
    rule(/\buser names?\b/i, 'username'),
    rule(/\b(he|she|his|her|him)\b/i, 'they, their, them'),
    rule(/["„«»]/, '“ ”'),
  ],
  de: [
    ...everywhere,
    rule(/(ein|aus)(zu|ge)?logg|\blog-?(in|out)\b/i, 'anmelden, abmelden'),
    rule(/(?<!E-)\bMails?(?=\b|[a-zäöüß])/, 'E-Mail'),
    rule(/\bE-?mails?\b(?<!E-Mails?)/i, 'E-Mail'),
    rule(
      /schliess|\bgross|grösse|\bausser|gemäss|strasse|\bheiss|\bweiss\b|regelmäss|massnahm|grüss|\bbloss\b/i,
      'ß',
    ),
    rule(/wiederverkäufer/i, 'Reseller'),
    rule(/\b(Meeting-?|Besprechungs|Sitzungs)?(räume?|raum|raums)\b/i, 'Konferenzraum'),
    rule(/\b(anlegen|anzulegen|anlegt|angelegt)\b|\blegen Sie\b[^.\n]* an\./i, 'erstellen'),
    rule(/\bzweite[rnms]? Faktor|\bZwei-Faktor(?!-Anmeldung)|\b2FA\b/, 'Zwei-Faktor-Anmeldung'),
    rule(/\bVerteiler(?!liste)/, 'Verteilerliste'),
    rule(/\bfreigegebene[nr]? Ordner/i, 'Geteilter Ordner'),
    rule(/\b(Saldo|Kontostand|Saldovortrag)\b/, 'Guthaben'),
    rule(/\bDelegiert/, 'Stellvertretung'),
    rule(/\b(du|dein(e|er|en|em)?|dir|dich)\b/i, 'Sie'),
    rule(/[*:_]innen\b/, 'a neutral word'),
    rule(/["”«»]/, '„ “'),
  ],
  fr: [
    ...everywhere,
    rule(/(?<!\u202f)[;!?»]/, 'a narrow no-break space (U+202F) before it'),
    rule(/«(?!\u202f)/, 'a narrow no-break space (U+202F) after «'),
    rule(/(?<!\u00a0):(?=\s|$)/m, 'a no-break space (U+00A0) before the colon'),
    rule(/\b(se )?(dé)?loguer\b|\blog-?(in|out)\b/i, 'se connecter, se déconnecter'),
    rule(/\bchercher\b/i, 'rechercher'),
    rule(/\bagendas?\b/i, 'calendrier'),
    rule(/\bcourriels?\b/i, 'e-mail'),
    rule(
      /\b(deux|double|second|deuxième) (facteurs?|authentification)\b|\b2FA\b/i,
      'validation en deux étapes',
    ),
    rule(/\bstatuts?\b/i, 'état'),
    rule(/\bpropriétaires?\b/i, 'titulaire'),
    rule(/\bpaiements automatiques\b/i, 'paiement automatique'),
    rule(/\bfactures?\b/i, 'reçu'),
    rule(/\b(domaine confirmé|confirmer le domaine)/i, 'vérifier le domaine'),
    rule(/(?<![\p{L}’])(tu|toi|tes)(?!\p{L})/iu, 'vous'),
    rule(/["“”„]/, '« »'),
  ],
  it: [
    ...everywhere,
    rule(/\bsal[ae]\b/i, 'stanza'),
    rule(/\bLei\b|(?<=[\p{Ll},:] |^La |^Il |^I |^Le )(Suo|Sua|Suoi|Sue)\b/u, 'a neutral phrase'),
    rule(
      /\b(inserisca|scelga|verifichi|riprovi|clicchi|confermi|ricarichi|contatti l’)\b/i,
      'the infinitive',
    ),
    rule(/\b(tuo|tua|tuoi|tue|puoi|devi|hai)\b/i, 'a neutral phrase'),
    rule(/\b(s?logg[a-z]+|log-?(in|out))\b/i, 'accedere, uscire'),
    rule(/\bsecond[oi] fattor[ei]\b|\b(a )?due fattori\b|\b2FA\b/i, 'verifica in due passaggi'),
    rule(/\bproprietari[oae]?\b/i, 'titolare'),
    rule(/\bpagamenti automatici\b/i, 'pagamento automatico'),
    rule(/\b(dominio confermato|confermare il dominio)\b/i, 'verificare il dominio'),
    rule(/\bemail\b/i, 'e-mail'),
    rule(/«\s|\s»|["“”„]/, '« » without spaces'),
  ],
}

/**
 * Returns violations of the language guide in a catalogue, as sentences. Only readable text is checked, not
 * the names of parameters and cases.
 */
export function wordingProblems(
  language: Language,
  catalogue: Catalogue,
  exceptions: readonly WordingException[] = wordingExceptions,
): string[] {
  return Object.entries(catalogue).flatMap(([key, text]) => {
    const allowed = exceptions.filter((one) => one.language === language && one.key === key)
    const read = allowed.reduce((rest, { words }) => rest.replaceAll(words, '…'), readableText(text))
    return wordingRules[language].flatMap(({ find, instead }) => {
      const found = find.exec(read)?.[0]
      return found === undefined ? [] : [`${language}: "${key}" says "${found}" instead of ${instead}`]
    })
  })
}

/**
 * Returns the readable text of an ICU message: placeholders become one character, and each case is a separate
 * line.
 */
function readableText(text: string): string {
  return read(compileMessageOrThrow(text)).replace(/<\/?\w+>/g, '')
}

function read(message: CompiledMessage): string {
  return message
    .map((token) => {
      if (typeof token === 'string') return token
      const [, , cases] = token
      if (typeof cases !== 'object' || cases === null) return '…'
      return Object.values(cases)
        .map((one) => (Array.isArray(one) ? read(one) : ''))
        .join('\n')
    })
    .join('')
}

const specified = 'the specification fixes this sentence'
const physical = 'a room of a building, which people book as a resource'
const characters = 'the character itself is meant'
const item = 'the owner of a file, not of an account'
const subject = 'who acts in a sentence, where a neutral phrase would leave the actor out'
const synonyms = 'words that people may search for'

/** Texts that keep a disallowed word. */
export const wordingExceptions: readonly WordingException[] = [
  { language: 'en', key: 'payment.autoFailedText', words: 'automatic payments', reason: specified },
  { language: 'en', key: 'mandate.notice-setup-failed', words: 'automatic payments', reason: specified },
  { language: 'en', key: 'palette.logoutWords', words: 'logout log off', reason: synonyms },
  { language: 'de', key: 'palette.logoutWords', words: 'ausloggen beenden logout', reason: synonyms },
  { language: 'it', key: 'palette.logoutWords', words: 'logout', reason: synonyms },
  { language: 'de', key: 'directory.newLead', words: 'Ein Raum', reason: physical },
  { language: 'de', key: 'directory.emptyText', words: 'Besprechungsraum 2', reason: physical },
  { language: 'de', key: 'resources.nameExample', words: 'Besprechungsraum 2', reason: physical },
  { language: 'de', key: 'skus.resource.description', words: 'Ein Raum', reason: physical },
  { language: 'de', key: 'dashboard.noResources', words: 'Besprechungsräume', reason: physical },
  { language: 'it', key: 'dashboard.noResources', words: 'sale', reason: physical },
  { language: 'it', key: 'directory.newLead', words: 'Una sala', reason: physical },
  { language: 'it', key: 'directory.emptyText', words: 'Sala riunioni 2', reason: physical },
  { language: 'it', key: 'resources.nameExample', words: 'Sala riunioni 2', reason: physical },
  { language: 'it', key: 'skus.resource.description', words: 'Una sala', reason: physical },
  ...(['en', 'de', 'fr', 'it'] as const).flatMap((language) =>
    ['files.newFolderHint', 'files.nameSigns'].map((key) => ({
      language,
      key,
      words: '"',
      reason: characters,
    })),
  ),
  { language: 'it', key: 'sentences.you', words: 'Lei', reason: subject },
  { language: 'fr', key: 'files.owner', words: 'Propriétaire', reason: item },
  { language: 'fr', key: 'files.permission-self', words: 'propriétaire', reason: item },
  { language: 'it', key: 'files.owner', words: 'Proprietario', reason: item },
  { language: 'it', key: 'files.permission-self', words: 'proprietaria', reason: item },
]
