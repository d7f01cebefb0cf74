import { alphabet, glyphs, type Point, type Stroke } from '#server/identity/captcha/glyphs.ts'
import { blot, type Colour, grainy, line, rgb } from '#server/identity/captcha/picture.ts'
import { chance } from '#server/identity/captcha/random.ts'

const [WIDTH, HEIGHT, LENGTH] = [150, 56, 4]
const GROUND: Colour = [242, 239, 235]

export type CodePicture = { readonly answer: string; readonly png: Buffer }

/**
 * Four characters as a picture. Each is rotated, slanted and stretched separately and the whole line is bent, so
 * that no two look alike; lines of the same colour cross them and join neighbours: a shape-based reader cannot
 * distinguish a stroke from a line.
 */
export async function drawCode(
  answer = Array.from({ length: LENGTH }, () => chance.oneOf(alphabet)).join(''),
): Promise<CodePicture> {
  const ink = inkOf()
  const bend = bendOf()
  const room = (WIDTH - 30) / answer.length
  const characters = [...answer].flatMap((character, at) => {
    const place = placing(15 + room * (at + 0.5), room)
    return (glyphs[character] ?? []).flatMap(stroke => pen(stroke, point => bend(place(point)), shade(ink)))
  })
  const shapes = [
    ...ground(),
    wander(ink, 0.6),
    ...characters,
    wander(shade(ink), chance.between(0.9, 1.3)),
    wander(shade(ink), chance.between(0.5, 0.8)),
    // Scratches in the background colour cut the strokes into pieces.
    ...Array.from({ length: 3 }, () => wander(GROUND, chance.between(0.35, 0.7))),
    ...speckles(ink),
  ]
  const picture = await grainy({ width: WIDTH, height: HEIGHT }, shapes, 8)
  return { answer, png: await picture.png().toBuffer() }
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
const ground = (): string[] => [
  `<rect width="100%" height="100%" fill="${rgb(GROUND)}"/>`,
  ...Array.from({ length: 16 }, () => {
    const tint: Colour = [chance.whole(140, 235), chance.whole(140, 235), chance.whole(150, 245)]
    return blot(anywhere(), chance.between(5, 16), tint, 0.35)
  }),
]

const anywhere = (): Point => [chance.between(0, WIDTH), chance.between(0, HEIGHT)]

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

/** A stroke as short pieces of varying width, each bent with the line. */
function pen(stroke: Stroke, place: Place, ink: Colour): string[] {
  const width = chance.between(2.8, 3.8)
  return stroke.slice(1).flatMap((point, at) => {
    const before = stroke[at] as Point
    const pieces = Math.max(2, Math.ceil(Math.hypot(point[0] - before[0], point[1] - before[1]) * 8))
    const along = Array.from({ length: pieces + 1 }, (_, piece): Point => {
      const share = piece / pieces
      return place([before[0] + (point[0] - before[0]) * share, before[1] + (point[1] - before[1]) * share])
    })
    return along.slice(1).map((end, piece) => line([along[piece]!, end], ink, width + chance.between(-0.3, 0.3), 0.9))
  })
}

/** A wave from edge to edge, as wide and dark as the characters' strokes. */
function wander(ink: Colour, width: number): string {
  const [from, to] = [chance.between(14, HEIGHT - 14), chance.between(14, HEIGHT - 14)]
  const [high, long, start] = [chance.between(3, 10), chance.between(14, 34), chance.between(0, 6.3)]
  const points = Array.from({ length: WIDTH / 2 + 3 }, (_, step): Point => {
    const x = step * 2 - 2
    return [x, from + ((to - from) * x) / WIDTH + high * Math.sin(x / long + start)]
  })
  return line(points, ink, width * 2 + 0.4, 0.85)
}

const speckles = (ink: Colour): string[] =>
  Array.from({ length: 130 }, (_, count) =>
    blot(anywhere(), chance.between(0.5, 1.2), count % 3 === 0 ? [250, 250, 250] : ink, 0.7),
  )
