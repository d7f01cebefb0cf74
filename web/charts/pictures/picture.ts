import type { Tone } from '#kernel/wall/wall-definition.ts'

/** An item of a drawing: its name, its size, and its row of the table. */
export type Item = { readonly name: string; readonly value: number; readonly at: number; readonly tone?: Tone }

/**
 * The drawing of a card. It has lengths, not figures: figures are in the table behind every picture, whose rows `at`
 * names.
 */
export type Picture =
  | {
      readonly shape: 'lines'
      readonly axis: readonly string[]
      /** Dotted: what it is compared with. */
      readonly series: readonly { readonly name: string; readonly values: readonly number[]; readonly dotted?: true }[]
      readonly asBars?: boolean
    }
  | { readonly shape: 'bars'; readonly items: readonly Item[] }
  | { readonly shape: 'tree'; readonly items: readonly Item[] }
  | {
      readonly shape: 'map'
      /** By the short names of provinces. */
      readonly tiles: Readonly<Record<string, number>>
      readonly flows: readonly {
        readonly from: string
        readonly to: string
        readonly value: number
        readonly at: number
      }[]
    }
  | {
      readonly shape: 'scatter'
      readonly across: string
      readonly up: string
      readonly points: readonly {
        readonly name: string
        readonly x: number
        readonly y: number
        readonly at: number
        readonly tone: Tone
        readonly band: string
      }[]
    }
  | { readonly shape: 'funnel'; readonly items: readonly Item[] }
  | { readonly shape: 'waterfall'; readonly items: readonly Item[] }
  | {
      readonly shape: 'combo'
      readonly axis: readonly string[]
      readonly bars: readonly { readonly name: string; readonly values: readonly number[] }[]
      readonly line: { readonly name: string; readonly values: readonly (number | null)[] }
    }
  | {
      readonly shape: 'calendar'
      readonly name: string
      readonly days: readonly { readonly day: string; readonly value: number; readonly at: number }[]
    }
  | {
      readonly shape: 'sankey'
      readonly nodes: readonly { readonly name: string; readonly label: string; readonly depth?: number }[]
      readonly links: readonly {
        readonly source: string
        readonly target: string
        readonly value: number
        readonly at: number
      }[]
    }

/** The rows that can be pointed at in a picture, in the order of the arrow keys. */
export function rowsDrawn(picture: Picture): readonly number[] {
  switch (picture.shape) {
    case 'lines':
    case 'combo':
      return picture.axis.map((_, at) => at)
    case 'map':
      return picture.flows.map(({ at }) => at)
    case 'scatter':
      return picture.points.map(({ at }) => at)
    case 'calendar':
      return picture.days.map(({ at }) => at)
    case 'sankey':
      return picture.links.map(({ at }) => at)
    default:
      return picture.items.map(({ at }) => at)
  }
}
