// Makes small pictures, one after another, in a process of its own without secrets: a picture that makes the library
// crash, swell or stand still ends this process, and nothing else. Started by thumbnailer.ts.
import { dropPrivileges } from '@gatehouse/media/drop-privileges'
import sharp from 'sharp'

const largestPixels = 100_000_000

sharp.cache(false)
sharp.concurrency(1)
// the library looks at the bytes, not at the type that somebody said they have: documents such as SVG, which refer to
// others and grow while they are read, stay closed whatever they call themselves
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Heif', 'Jpeg', 'Nsgif', 'Png', 'Tiff', 'Webp'].map((format) => `VipsForeignLoad${format}`),
})

// the library is there, and a picture of somebody comes next
dropPrivileges()

process.on('message', async ({ bytes, side }) => {
  try {
    const picture = await sharp(bytes, { limitInputPixels: largestPixels, failOn: 'error', animated: false })
      .timeout({ seconds: 10 })
      .rotate()
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 75 })
      .toBuffer()
    process.send({ picture })
  } catch (error) {
    process.send({ problem: String(error) })
  }
})
process.on('disconnect', () => process.exit())
// the library takes its time to load, which is nobody's picture's
process.send({ ready: true })
