import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Language, languages } from '@gatehouse/contract/language'
import { describe, expect, it } from 'vitest'
import { type Catalogue, catalogues } from './catalogues.ts'
import { wordingExceptions, wordingProblems, wordingRules } from './wording.ts'

const packages = join(import.meta.dirname, '../../../..')
const screens = join(packages, 'web/src/i18n/messages')

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** Reads the texts of the screens. */
function screenTexts(language: Language): Catalogue {
  const files = readdirSync(screens).filter((file) => file.endsWith(`.${language}.json`))
  // catalogues are maps of texts, as checked by their own test
  return Object.assign({}, ...files.map((file) => readJson(join(screens, file)) as Catalogue))
}

/** Returns names and descriptions of the default products, such as `skus.room.name`. */
function offeredTexts(language: Language): Catalogue {
  const texts: Record<string, string> = {}
  const visit = (value: unknown, place: string) => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) {
      if (name === language && typeof inner === 'string') texts[place] = inner.replace(/<[^>]*>/g, '\n')
      visit(inner, [place, titleOf(inner) ?? name].filter(Boolean).join('.'))
    }
  }
  visit(readJson(join(packages, 'server/catalogue.json')), '')
  return texts
}

function titleOf(value: unknown): string | undefined {
  const isTitled = typeof value === 'object' && value !== null && 'title' in value
  return isTitled && typeof value.title === 'string' ? value.title : undefined
}

describe('the texts', () => {
  it.each(languages)('of the screens follow the language guide in %s', (language) => {
    const texts = screenTexts(language)
    expect(Object.keys(texts).length).toBeGreaterThan(2000)
    expect(wordingProblems(language, texts)).toEqual([])
  })

  it.each(languages)('of the server follow the language guide in %s', (language) => {
    expect(wordingProblems(language, catalogues[language])).toEqual([])
  })

  it.each(languages)('of the products follow the language guide in %s', (language) => {
    const texts = offeredTexts(language)
    expect(Object.keys(texts).length).toBeGreaterThan(20)
    expect(wordingProblems(language, texts)).toEqual([])
  })

  it('need every exception', () => {
    const spare = wordingExceptions.filter((exception) => {
      const { language, key } = exception
      const text = { ...offeredTexts(language), ...screenTexts(language), ...catalogues[language] }[key]
      const others = wordingExceptions.filter((one) => one !== exception)
      return text === undefined || wordingProblems(language, { [key]: text }, others).length === 0
    })
    expect(spare).toEqual([])
  })
})

describe('the wording check', () => {
  /** Texts that each violate a rule. */
  const bad: Readonly<Record<Language, readonly string[]>> = {
    en: [
      'This works; it is done.',
      'Loading...',
      "ICU ‘’ and ''straight''",
      'Whoever has the link can open it.',
      'Nobody can sign in.',
      'Load the page anew.',
      'It is checked by itself.',
      'It is not used any longer.',
      'It goes for good.',
      'Webmail is not concerned.',
      'Put off unknown senders',
      'The job was given up.',
      'Payments are not offered at the moment.',
      'You cannot change it.',
      'You are logged in.',
      'Go to login',
      'Set up a second factor',
      'Download the invoice',
      'The automatic payment failed.',
      'You are out of credit.',
      'Prove the ownership.',
      'Audit log',
      'Session of staff',
      'Read and write',
      'Check your email',
      'This user name is taken.',
      'The user changes his password.',
      'The file "plan.txt"',
    ],
    de: [
      'Fertig; weiter.',
      'Lädt...',
      "So geht''s",
      'Bitte einloggen',
      'Öffnen Sie das Mailprogramm.',
      'Prüfen Sie Ihre Email.',
      'Fenster schliessen',
      'Nur für Wiederverkäufer',
      'Der Meetingraum ist leer.',
      'Der Benutzer wurde angelegt.',
      'Richten Sie einen zweiten Faktor ein.',
      'Der Verteiler ist leer.',
      'Freigegebene Ordner',
      'Ihr Saldo',
      'Delegierte',
      'Prüfe dein Passwort.',
      'Benutzer:innen',
      'Die Datei «Plan»',
    ],
    fr: [
      'Fini\u202f; suite.',
      'Chargement...',
      "C''est fait",
      'Êtes-vous là?',
      '«Plan\u202f»',
      'Code : 5',
      'Se loguer',
      'Chercher',
      'Ouvrir l’agenda',
      'Envoyer un courriel',
      'Configurer le second facteur',
      'Statut',
      'Le propriétaire du compte',
      'Paiements automatiques',
      'Voir la facture',
      'Un domaine confirmé',
      'Si tu veux',
      'Le fichier “plan”',
    ],
    it: [
      'Fatto; avanti.',
      'Caricamento...',
      "L''account",
      'La sala è vuota.',
      'Lei può accedere.',
      'Inserisca il codice.',
      'La tua password',
      'Fare il login',
      'Configurare il secondo fattore',
      'Il proprietario dell’account',
      'Pagamenti automatici',
      'Un dominio confermato',
      'Controllare l’email',
      'Il file “piano”',
    ],
  }

  it.each(languages)('has a text that violates each rule in %s', (language) => {
    const unbroken = wordingRules[language].filter(({ instead }) => {
      const problems = bad[language].flatMap((text) => wordingProblems(language, { text }))
      return !problems.some((problem) => problem.endsWith(` instead of ${instead}`))
    })
    expect(unbroken).toEqual([])
  })

  it.each(languages.flatMap((language) => bad[language].map((text) => [language, text] as const)))(
    'finds fault with %s %j',
    (language, text) => {
      expect(wordingProblems(language, { text })).not.toEqual([])
    },
  )

  it('names the text, the words and the suggestion', () => {
    expect(wordingProblems('en', { 'users.note': 'Nobody can sign in.' })).toEqual([
      'en: "users.note" says "Nobody" instead of everyone, someone, anyone, no one',
    ])
  })

  it.each([
    ['en', 'No one can sign in. {nobody, select, whoever {Anyone with the link can.} other {}}'],
    ['en', '{login} signed in. <emails>E-mails</emails>'],
    ['de', 'Der Konferenzraum „{raum}“ wurde erstellt. Schließen Sie das E-Mail-Programm.'],
    ['fr', 'Ouvrir «\u202f{name}\u202f»\u202f? Solde\u00a0: {amount}'],
    ['it', 'La stanza «{name}» è stata creata. Il sistema usa il suo nome.'],
  ] as const)('accepts %s %j', (language, text) => {
    expect(wordingProblems(language, { text })).toEqual([])
  })

  it('checks every case of a message', () => {
    const text = '{count, plural, one {# item} other {Nobody has # items}}'
    expect(wordingProblems('en', { text })).toHaveLength(1)
  })

  it('applies an exception only to its words, text and language', () => {
    const texts = { 'users.note': 'Nobody can log in.' }
    const allowed = [{ language: 'en', key: 'users.note', words: 'Nobody', reason: 'a sample' }] as const
    expect(wordingProblems('en', texts, allowed)).toEqual([expect.stringContaining('says "log in"')])
    expect(wordingProblems('en', { 'users.lead': 'Nobody' }, allowed)).toHaveLength(1)
    expect(wordingProblems('de', { 'users.note': 'Ihr Saldo' }, allowed)).toHaveLength(1)
  })
})
