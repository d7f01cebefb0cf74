import type { KeyboardEvent } from 'react'

export type Command =
  | { readonly do: 'move'; readonly rows: number; readonly columns: number; readonly extend: boolean }
  | { readonly do: 'edge'; readonly to: 'top' | 'bottom' | 'first' | 'last'; readonly extend: boolean }
  | {
      readonly do:
        | 'next'
        | 'previous'
        | 'edit'
        | 'clear'
        | 'fill'
        | 'undo'
        | 'redo'
        | 'all'
        | 'removeRows'
        | 'insertRow'
    }

const PAGE = 15
const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-PAGE, 0],
  PageDown: [PAGE, 0],
}
const edges: Readonly<Record<string, 'top' | 'bottom' | 'first' | 'last'>> = {
  ArrowUp: 'top',
  ArrowDown: 'bottom',
  ArrowLeft: 'first',
  ArrowRight: 'last',
  Home: 'top',
  End: 'bottom',
}

/** The meaning of a key while no cell is being edited; null if it is just a character. */
export function commandOf(event: KeyboardEvent): Command | null {
  const { key, shiftKey: extend } = event
  const ctrl = event.ctrlKey || event.metaKey
  if (ctrl) {
    const edge = edges[key]
    if (edge !== undefined) return { do: 'edge', to: edge, extend }
    switch (key.toLowerCase()) {
      case 'd':
        return { do: 'fill' }
      case 'z':
        return { do: extend ? 'redo' : 'undo' }
      case 'y':
        return { do: 'redo' }
      case 'a':
        return { do: 'all' }
      case '-':
        return { do: 'removeRows' }
      case 'i':
        return { do: 'insertRow' }
      default:
        return null
    }
  }
  const arrow = arrows[key]
  if (arrow !== undefined) return { do: 'move', rows: arrow[0], columns: arrow[1], extend }
  switch (key) {
    case 'Tab':
    case 'Enter':
      return { do: extend ? 'previous' : 'next' }
    case 'F2':
      return { do: 'edit' }
    case 'Delete':
    case 'Backspace':
      return { do: 'clear' }
    case 'Home':
      return { do: 'edge', to: 'first', extend }
    case 'End':
      return { do: 'edge', to: 'last', extend }
    default:
      return null
  }
}
