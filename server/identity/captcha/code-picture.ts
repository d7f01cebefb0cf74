import { chance } from '#server/identity/captcha/random.ts'
import { alphabet, glyphs, type Point, type Stroke } from '#server/identity/captcha/glyphs.ts'
import { type Colour, Raster } from '#server/identity/captcha/raster.ts'

const [WIDTH, HEIGHT, LENGTH] = [150, 56, 4]

export type CodePicture = { readonly answer: string; readonly picture: Raster }

/**
 * Four characters as a picture. Each is rotated, slanted and stretched separately and the whole line is bent, so
 * that no two look alike; lines of the same colour cross them and join neighbours: a shape-based reader cannot
 * distinguish a stroke from a line.
 */
export function drawCode(answer = Array.from({ length: LENGTH }, () => chance.oneOf(alphabet)).join('')): CodePicture {
  const picture = new Raster(WIDTH, HEIGHT)
  const ink = inkOf()
  doc(picture)
  wander(picture, ink, 0.6)
  const bend = bendOf()
  const room = (WIDTH - 30) / answer.length
  for (const [at, character] of [...answer].entries()) {
    const place = placing(15 + room * (at + 0.5), room)
    for (const stroke of glyphs[character] ?? []) pen(picture, stroke, point => bend(place(point)), shade(ink))
  }
  wander(picture, shade(ink), chance.between(0.9, 1.3))
  wander(picture, shade(ink), chance.between(0.5, 0.8))
  // Scratches in the background colour cut the strokes into pieces.
  for (let count = 0; count < 3; count++) wander(picture, [244, 241, 238], chance.between(0.35, 0.7))
  speckle(picture, ink)
  return { answer, picture }
}

const inkOf = (): Colour => {
  const dark = () => chance.whole(20, 110)
  return [dark(), dark(), dark()]
}
const shade = ([red, green, blue]: Colour): Colour => {
  const by = chance.whole(-18, 22)
  return [red + by, green + by, blue + by]
}

/** A background without plain areas: soft blots of light colours. */
function doc(picture: Raster): void {
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const grain = chance.whole(0, 26)
      picture.put(x, y, [229 + grain, 226 + grain, 222 + grain])
    }
  for (let count = 0; count < 16; count++) {
    const tint: Colour = [chance.whole(140, 235), chance.whole(140, 235), chance.whole(150, 245)]
    picture.dot(chance.between(0, WIDTH), chance.between(0, HEIGHT), chance.between(5, 16), tint, 0.35)
  }
}

type Place = (point: Point) => Point

/** Rotates, slants, stretches and shifts one character around its own centre. */
function placing(middle: number, room: number): Place {
  const turn = chance.oneOf([-1, 1]) * chance.between(0.1, 0.42)
  const slant = chance.between(-0.26, 0.26)
  const [wide, tall] = [room * chance.between(0.84, 1.02), HEIGHT * chance.between(0.52, 0.64)]
  const [left, top] = [middle + chance.between(-2.5, 2.5), HEIGHT / 2 + chance.between(-5, 5)]
  return ([x, y]) => {
    const [across, down] = [(x - 0.5 - slant * (y - 0.5)) * wide, (y - 0.5) * tall]
    return [
      left + across * Math.cos(turn) - down * Math.sin(turn),
      top + across * Math.sin(turn) + down * Math.cos(turn),
    ]
  }
}

/** Waves across the whole line. */
function bendOf(): Place {
  const [high, wide] = [chance.between(1.5, 3.2), chance.between(1.2, 2.4)]
  const [first, second] = [chance.between(0, 6.3), chance.between(0, 6.3)]
  const [long, short] = [chance.between(22, 40), chance.between(10, 16)]
  return ([x, y]) => [x + wide * Math.sin(y / short + first), y + high * Math.sin((x / long) * 2 + second)]
}

/** Draws a stroke as a chain of soft dots of varying width. */
function pen(picture: Raster, stroke: Stroke, place: Place, ink: Colour): void {
  const width = chance.between(1.4, 1.9)
  let step = 0
  for (const [at, point] of stroke.slice(1).entries()) {
    const before = stroke[at] as Point
    const pieces = 48
    for (let piece = 0; piece <= pieces; piece++, step++) {
      const share = piece / pieces
      const [x, y] = place([before[0] + (point[0] - before[0]) * share, before[1] + (point[1] - before[1]) * share])
      picture.dot(x, y, width + 0.25 * Math.sin(step / 9), ink, 0.55)
    }
  }
}

/** A wave from edge to edge, as wide and dark as the characters' strokes. */
function wander(picture: Raster, ink: Colour, width: number): void {
  const [from, to] = [chance.between(14, HEIGHT - 14), chance.between(14, HEIGHT - 14)]
  const [high, long, start] = [chance.between(3, 10), chance.between(14, 34), chance.between(0, 6.3)]
  for (let x = -2; x < WIDTH + 2; x += 0.4)
    picture.dot(x, from + ((to - from) * x) / WIDTH + high * Math.sin(x / long + start), width, ink, 0.5)
}

function speckle(picture: Raster, ink: Colour): void {
  for (let count = 0; count < 130; count++)
    picture.dot(
      chance.between(0, WIDTH),
      chance.between(0, HEIGHT),
      chance.between(0.2, 0.9),
      count % 3 === 0 ? [250, 250, 250] : ink,
      0.7,
    )
}
