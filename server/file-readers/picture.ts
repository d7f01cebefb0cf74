import sharp, { type Sharp } from 'sharp'
import { onlyInFileWorker } from '#server/file-workers/in-worker.ts'

/** A picture with more pixels than any camera makes is an attack; its header says how many it has. */
const MOST_PIXELS = 110_000_000

// One picture at a time, and nothing of it is kept: the worker's memory is that of one file.
sharp.concurrency(1)
sharp.cache(false)

/** A foreign picture, upright. It is opened by its header; one with too many pixels is refused before it is decoded. */
export function openPicture(bytes: Uint8Array): Sharp {
  onlyInFileWorker('a picture')
  return sharp(bytes, { limitInputPixels: MOST_PIXELS, sequentialRead: true, failOn: 'error' }).rotate()
}
