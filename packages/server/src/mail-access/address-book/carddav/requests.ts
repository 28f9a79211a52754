import { foldText } from '@gatehouse/contract/fold-text'
import { readXml, type XmlNode } from '../../../platform/xml/read-xml.ts'
import type { Card } from '../vcard.ts'
import { carddav, dav } from './names.ts'
import type { Asked } from './resources.ts'

/** A search or a list of cards; RFC 6352 §8.6 and §8.7. */
export type Report =
  | { readonly kind: 'multiget'; readonly asked: Asked; readonly hrefs: readonly string[] }
  | {
      readonly kind: 'query'
      readonly asked: Asked
      readonly matches: (card: Card) => boolean
      /** Undefined: all. */
      readonly limit: number | undefined
    }

const childrenOf = (node: XmlNode | undefined, namespace: string, name: string): readonly XmlNode[] =>
  node?.children.filter((child) => child.namespace === namespace && child.name === name) ?? []

const childOf = (node: XmlNode, namespace: string, name: string): XmlNode | undefined =>
  childrenOf(node, namespace, name)[0]

function askedOf(node: XmlNode): Asked {
  const wanted = childOf(node, dav, 'prop')
  if (wanted !== undefined) return wanted.children
  return childOf(node, dav, 'propname') === undefined ? 'all' : 'names'
}

/** Reads the body of PROPFIND; an empty one asks for all properties (RFC 4918 §9.1). Throws UnreadableXml. */
export function readPropfind(xml: string): Asked {
  return xml.trim() === '' ? 'all' : askedOf(readXml(xml))
}

/** Reads the body of REPORT; undefined for reports that don't exist here. Throws UnreadableXml. */
export function readReport(xml: string): Report | undefined {
  const node = readXml(xml)
  if (node.namespace !== carddav) return undefined
  const asked = askedOf(node)
  if (node.name === 'addressbook-multiget') {
    return { kind: 'multiget', asked, hrefs: childrenOf(node, dav, 'href').map(({ text }) => text.trim()) }
  }
  if (node.name !== 'addressbook-query') return undefined
  const most = Number(childrenOf(childOf(node, carddav, 'limit'), carddav, 'nresults')[0]?.text.trim())
  return {
    kind: 'query',
    asked,
    matches: filterOf(childOf(node, carddav, 'filter')),
    limit: Number.isInteger(most) && most > 0 ? most : undefined,
  }
}

type Test<T> = (value: T) => boolean

/** All or any of the tests, by the attribute `test`; without tests, everything matches. */
function combine<T>(node: XmlNode, tests: readonly Test<T>[]): Test<T> {
  if (tests.length === 0) return () => true
  return node.attributes.get('test') === 'allof'
    ? (value) => tests.every((test) => test(value))
    : (value) => tests.some((test) => test(value))
}

function filterOf(node: XmlNode | undefined): Test<Card> {
  return node === undefined
    ? () => true
    : combine(node, childrenOf(node, carddav, 'prop-filter').map(propertyTest))
}

/** RFC 6352 §10.5.1: the card has the property, doesn't have it, or has a value that matches. */
function propertyTest(node: XmlNode): Test<Card> {
  const name = (node.attributes.get('name') ?? '').toUpperCase()
  const valuesOf = ({ values }: Card) => values.get(name) ?? []
  if (childOf(node, carddav, 'is-not-defined') !== undefined) return (card) => valuesOf(card).length === 0
  const texts = childrenOf(node, carddav, 'text-match')
  if (texts.length === 0) return (card) => valuesOf(card).length > 0
  return combine(
    node,
    texts.map((text) => {
      const matches = textTest(text)
      const isNegated = text.attributes.get('negate-condition') === 'yes'
      return (card: Card) => valuesOf(card).some(matches) !== isNegated
    }),
  )
}

/** Compares without case and accents, as the searches on screens do. */
function textTest(node: XmlNode): Test<string> {
  const wanted = foldText(node.text)
  switch (node.attributes.get('match-type')) {
    case 'equals':
      return (value) => foldText(value) === wanted
    case 'starts-with':
      return (value) => foldText(value).startsWith(wanted)
    case 'ends-with':
      return (value) => foldText(value).endsWith(wanted)
    default:
      return (value) => foldText(value).includes(wanted)
  }
}
