import { createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto'

/** A certificate with its chain, and its key. */
export interface Signer {
  readonly key: KeyObject
  /** The signer's own certificate first. */
  readonly certificates: readonly X509Certificate[]
}

/** Reads a PEM text with a private key and its certificate chain. Throws an error if it's incomplete or doesn't match. */
export function readSigner(pem: string): Signer {
  const key = createPrivateKey(pem)
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  const certificates = blocks.map((block) => new X509Certificate(block))
  if (!certificates[0]?.checkPrivateKey(key))
    throw new Error('the first certificate does not belong to the key')
  if (key.asymmetricKeyType !== 'rsa' && key.asymmetricKeyType !== 'ec') {
    throw new Error('the key must be an RSA or EC key')
  }
  return { key, certificates }
}

const oids = {
  signedData: '2a864886f70d010702',
  data: '2a864886f70d010701',
  sha256: '608648016503040201',
  rsaWithSha256: '2a864886f70d01010b',
  ecdsaWithSha256: '2a8648ce3d040302',
} as const

/** Returns signed data that contains the content (CMS, RFC 5652 §5), in DER. */
export function signedData(content: Buffer, { key, certificates }: Signer): Buffer {
  const [own] = certificates
  if (own === undefined) throw new Error('a signer has a certificate')
  const digest = sequence(oid('sha256'), der(0x05))
  const isRsa = key.asymmetricKeyType === 'rsa'
  const algorithm = isRsa ? sequence(oid('rsaWithSha256'), der(0x05)) : sequence(oid('ecdsaWithSha256'))
  const signerInfo = sequence(
    integer(1),
    issuerAndSerial(own.raw),
    digest,
    algorithm,
    der(0x04, sign('sha256', content, key)),
  )
  return sequence(
    oid('signedData'),
    der(
      0xa0,
      sequence(
        integer(1),
        der(0x31, digest),
        sequence(oid('data'), der(0xa0, der(0x04, content))),
        der(0xa0, ...certificates.map(({ raw }) => raw)),
        der(0x31, signerInfo),
      ),
    ),
  )
}

/** Reads a certificate up to its issuer: version, serial number, algorithm, issuer (RFC 5280 §4.1). */
function issuerAndSerial(certificate: Buffer): Buffer {
  const body = elementAt(elementAt(certificate, 0).content, 0).content
  let at = 0
  const next = () => {
    const found = elementAt(body, at)
    at = found.end
    return found
  }
  const first = next()
  const serial = first.tag === 0xa0 ? next() : first
  next()
  return sequence(next().whole, serial.whole)
}

/** Reads an element of DER (X.690 §8.1). */
function elementAt(bytes: Buffer, start: number) {
  const first = bytes[start + 1] ?? 0
  const lengthBytes = first & 0x80 ? first & 0x7f : 0
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(start + 2, lengthBytes)
  const begin = start + 2 + lengthBytes
  const end = begin + length
  return { tag: bytes[start], content: bytes.subarray(begin, end), whole: bytes.subarray(start, end), end }
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const hex = length.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return der(0x30, ...contents)
}

/** A number below 128. */
function integer(value: number): Buffer {
  return der(0x02, Buffer.from([value]))
}

function oid(name: keyof typeof oids): Buffer {
  return der(0x06, Buffer.from(oids[name], 'hex'))
}
