import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { videoPacket } from '../testing/packets.ts'
import { headerLength } from './rtp.ts'
import { emptyDescriptor, readVp8, writeBaseIndex, writePictureId } from './vp8.ts'

function read(payload: readonly number[]) {
  const descriptor = emptyDescriptor()
  readVp8(Buffer.from(payload), 0, descriptor)
  return descriptor
}

describe('a VP8 packet', () => {
  it.each([
    { what: 'without numbers', bytes: [0x10, 0x01], keyFrame: false, pictureIdAt: 0, baseIndexAt: 0 },
    { what: 'that begins a key frame', bytes: [0x10, 0x00], keyFrame: true, pictureIdAt: 0, baseIndexAt: 0 },
    { what: 'that continues one', bytes: [0x00, 0x00], keyFrame: false, pictureIdAt: 0, baseIndexAt: 0 },
    { what: 'of a later partition', bytes: [0x11, 0x00], keyFrame: false, pictureIdAt: 0, baseIndexAt: 0 },
    { what: 'with 7 bits', bytes: [0x90, 0x80, 0x7f, 0x00], keyFrame: true, pictureIdAt: 2, baseIndexAt: 0 },
    {
      what: 'with 15 bits',
      bytes: [0x90, 0x80, 0x81, 2, 1],
      keyFrame: false,
      pictureIdAt: 2,
      baseIndexAt: 0,
    },
    {
      what: 'with all',
      bytes: [0x90, 0xf0, 0x81, 2, 9, 0x40, 0],
      keyFrame: true,
      pictureIdAt: 2,
      baseIndexAt: 4,
    },
    {
      what: 'with layers but no numbers',
      bytes: [0x90, 0x20, 0x40, 0],
      keyFrame: true,
      pictureIdAt: 0,
      baseIndexAt: 0,
    },
    { what: 'of nothing', bytes: [], keyFrame: false, pictureIdAt: 0, baseIndexAt: 0 },
  ])('$what is read', ({ bytes, keyFrame, pictureIdAt, baseIndexAt }) => {
    expect(read(bytes)).toMatchObject({ keyFrame, pictureIdAt, baseIndexAt })
  })

  it('that is a keyframe contains the frame size', () => {
    const packet = videoPacket({ sequence: 1, keyFrame: { width: 1280, height: 720 } })
    const descriptor = emptyDescriptor()
    readVp8(packet, headerLength(packet), descriptor)
    expect(descriptor).toMatchObject({ keyFrame: true, width: 1280, height: 720, pictureId: 1, baseIndex: 1 })
  })

  it('keeps the width of the numbers written into it', () => {
    const short = Buffer.from([0x90, 0xc0, 0x01, 0x02, 0x01])
    const descriptor = emptyDescriptor()
    readVp8(short, 0, descriptor)
    writePictureId(short, descriptor, 0x1ff)
    writeBaseIndex(short, descriptor, 0x1fe)
    expect([...short]).toEqual([0x90, 0xc0, 0x7f, 0xfe, 0x01])
  })

  it('with arbitrary bytes is parsed within its bounds', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 16 }), (bytes) => {
        const descriptor = read([...bytes])
        expect(descriptor.pictureIdAt + (descriptor.longPictureId ? 1 : 0)).toBeLessThanOrEqual(bytes.length)
        expect(descriptor.baseIndexAt).toBeLessThanOrEqual(bytes.length)
      }),
    )
  })
})
