import { describe, expect, test } from 'vitest'
import { readPasted } from './paste.ts'

const packages = ['Groupware Account', 'kolab', 'Mail account']
const read = (text: string, at: Parameters<typeof readPasted>[1]['at'] = 'first_name') =>
  readPasted(text, { at, packages })

describe('pasted text', () => {
  test.each(['jane@acme.test', 'Favre, Jane', 'Jane Favre', '', 'a; b'])(
    'is a text for one field: %j',
    (text) => {
      expect(read(text)).toBeUndefined()
    },
  )

  test('fills rows from spreadsheet columns', () => {
    expect(
      read('Jane\tFavre\tjane@acme.test\tkolab\t20\tjane@home.test\nNed\tKeller\tned@acme.test\n'),
    ).toEqual({
      hasHeadings: false,
      people: [
        {
          first_name: 'Jane',
          last_name: 'Favre',
          email: 'jane@acme.test',
          package: 'kolab',
          quota: '20',
          external_email: 'jane@home.test',
        },
        { first_name: 'Ned', last_name: 'Keller', email: 'ned@acme.test' },
      ],
    })
  })

  test('is assigned to columns by content if the order differs', () => {
    expect(read('jane@acme.test\tMail account\tJane van der Meer\tjane@home.test')?.people).toEqual([
      {
        email: 'jane@acme.test',
        package: 'Mail account',
        first_name: 'Jane',
        last_name: 'van der Meer',
        external_email: 'jane@home.test',
      },
    ])
  })

  test.each([
    'First name\tlast_name\tE-mail address\tStorage',
    'Vorname\tNachname\tE-Mail-Adresse\tSpeicher',
    'Prénom\tNom\tAdresse e-mail\tStockage',
    'Nome\tCognome\tIndirizzo\tSpazio',
  ])('takes the columns from a row of headings: %j', (headings) => {
    expect(read(`${headings}\nJane\tFavre\tjane@acme.test\t20`)).toEqual({
      hasHeadings: true,
      people: [{ first_name: 'Jane', last_name: 'Favre', email: 'jane@acme.test', quota: '20' }],
    })
  })

  test('skips unknown columns', () => {
    expect(read('Name\tPhone\tEmail\nJane Favre\t123\tjane@acme.test')?.people).toEqual([
      { first_name: 'Jane', last_name: 'Favre', email: 'jane@acme.test' },
    ])
  })

  test('may be separated by commas or semicolons, with quoted cells', () => {
    const people = [
      { first_name: 'Jane', last_name: 'Favre, MD', email: 'jane@acme.test' },
      { first_name: 'Ned "N"', last_name: 'Keller', email: 'ned@acme.test' },
    ]
    expect(read('Jane,"Favre, MD",jane@acme.test\r\n"Ned ""N""",Keller,ned@acme.test')?.people).toEqual(
      people,
    )
    expect(read('Jane;"Favre, MD";jane@acme.test\n"Ned ""N""";Keller;ned@acme.test')?.people).toEqual(people)
    expect(read('Jane,Favre,jane@acme.test')?.people).toHaveLength(1)
  })

  test('without addresses starts at the focused field and goes right', () => {
    expect(read('20\n5', 'quota')?.people).toEqual([{ quota: '20' }, { quota: '5' }])
    expect(read('Jane\tFavre\nNed\tKeller')?.people).toEqual([
      { first_name: 'Jane', last_name: 'Favre' },
      { first_name: 'Ned', last_name: 'Keller' },
    ])
  })

  test('skips blank rows', () => {
    expect(read('Jane\tFavre\n\t\n\nNed\tKeller\n')?.people).toHaveLength(2)
  })
})
