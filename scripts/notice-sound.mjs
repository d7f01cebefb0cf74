// Writes web/public/media/notice.wav: two soft bell tones, generated here so that we own the sound. Run again after
// changing it.
import { writeFileSync } from 'node:fs'
import path from 'node:path'

const RATE = 16_000
const SECONDS = 0.9
const tones = [
  { pitch: 880, from: 0, lasts: 0.5 },
  { pitch: 1174.66, from: 0.16, lasts: 0.7 },
]

/** A bell: the tone and a quieter one above it, fading out. */
const bell = (pitch, at) =>
  at < 0
    ? 0
    : (Math.sin(2 * Math.PI * pitch * at) + 0.25 * Math.sin(2 * Math.PI * pitch * 2.76 * at)) * Math.exp(-6 * at)

const count = Math.round(RATE * SECONDS)
const samples = Buffer.alloc(count * 2)
for (let index = 0; index < count; index++) {
  const now = index / RATE
  const wave = tones.reduce(
    (sum, tone) => sum + (now - tone.from < tone.lasts ? bell(tone.pitch, now - tone.from) : 0),
    0,
  )
  // Fades in and out at the ends to avoid clicks.
  const edge = Math.min(1, now / 0.005, (SECONDS - now) / 0.03)
  samples.writeInt16LE(Math.round(wave * edge * 0.32 * 32_767), index * 2)
}

const header = Buffer.alloc(44)
header.write('RIFF', 0)
header.writeUInt32LE(36 + samples.length, 4)
header.write('WAVEfmt ', 8)
header.writeUInt32LE(16, 16)
header.writeUInt16LE(1, 20) // PCM
header.writeUInt16LE(1, 22) // mono
header.writeUInt32LE(RATE, 24)
header.writeUInt32LE(RATE * 2, 28)
header.writeUInt16LE(2, 32)
header.writeUInt16LE(16, 34)
header.write('data', 36)
header.writeUInt32LE(samples.length, 40)
const file = path.resolve(import.meta.dirname, '../web/public/media/notice.wav')
writeFileSync(file, Buffer.concat([header, samples]))
console.log(`${file} ${44 + samples.length}`)
